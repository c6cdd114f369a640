// cupilot variant of stencil7_kernel for sm_90 (record cd1036b2): neighbouring threads along 'x'
constexpr int kBlockX = 64;  // knob: 32 64 128 256
constexpr int kBlockY = 4;  // knob: 1 2 4 8

__global__ void __launch_bounds__(kBlockX * kBlockY) elements(const float *u, float *v, int nx, int ny,
    int nz, unsigned columns, unsigned rows) {
  const unsigned column = blockIdx.x * kBlockX + threadIdx.x;
  if (column >= columns) return;
  for (unsigned row = blockIdx.y * kBlockY + threadIdx.y; row < rows; row += gridDim.y * kBlockY) {
    unsigned rest = row;
    const int y = static_cast<int>(rest % (ny - 2)) + 1;
    rest /= ny - 2;
    const int z = static_cast<int>(rest) + 1;
    const int x = 1 + static_cast<int>(column);
    v[(z * ny + y) * nx + x] = 0.4f * u[(z * ny + y) * nx + x] + 0.1f * (u[(z * ny + y) * nx + x - 1] + u[(
        z * ny + y) * nx + x + 1] + u[(z * ny + y) * nx + x - nx] + u[(z * ny + y) * nx + x + nx] + u[(z *
        ny + y) * nx + x - nx * ny] + u[(z * ny + y) * nx + x + nx * ny]);
  }
}

bool launch(const cupilot::Launch &l, const float *u, float *v, int nx, int ny, int nz) {
  // the launch has a thread for every x
  if ((static_cast<long long>(l.grid.x) * l.block.x) < nx - 1) return false;
  // the launch has a thread for every y
  if ((static_cast<long long>(l.grid.y) * l.block.y) < ny - 1) return false;
  // the launch has a thread for every z
  if ((static_cast<long long>(l.grid.z) * l.block.z) < nz - 1) return false;
  if (!l.disjoint(u,
      static_cast<size_t>(static_cast<long long>(nx) * static_cast<long long>(ny) * static_cast<long long>(
      nz)) * 4, v,
      static_cast<size_t>(static_cast<long long>(nx) * static_cast<long long>(ny) * static_cast<long long>(
      nz)) * 4)) return false;
  if (nz - 2 <= 0) return false;
  if (ny - 2 <= 0) return false;
  const long long columns = nx - 2;
  const long long rows = static_cast<long long>(nz - 2) * (ny - 2);
  if (columns <= 0 || columns > 0x7fffffff || rows > 0x7fffffff) return false;
  const long long blocks = (rows + kBlockY - 1) / kBlockY;
  const unsigned down = static_cast<unsigned>(blocks < 65535 ? blocks : 65535);
  const unsigned across = static_cast<unsigned>((columns + kBlockX - 1) / kBlockX);
  elements<<<dim3(across, down), dim3(kBlockX, kBlockY), 0, l.stream>>>(u, v, nx, ny, nz,
      static_cast<unsigned>(columns), static_cast<unsigned>(rows));
  return true;
}
