// KERNEL: saxpy
// BLOCK: 256
// ACCEPT: wide-access,block-size
// HAS: reinterpret_cast<const Vector<float> *>(x)
// HAS: knob: 64 128 256 512 1024
// ACCEPT: block-size
// ACCEPT: wide-access
// ACCEPT: grid-stride
// ACCEPT: grid-stride,block-size
// ACCEPT: grid-stride,wide-access,block-size
// REFUSE: pad-shared: no shared array
// REFUSE: warp-per-row,grid-stride: exclude each other
__global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // only where there is an element
  if (i < n) {
    float v = a * x[i];  // scaled
    y[i] = v + y[i];
  }
}
