// KERNEL: move
// BLOCK: 256
// REFUSE: wide-access: elements of type Particle do not form vectors
// ACCEPT: grid-stride
struct Particle {
  float x, y, z;
};
__global__ void move(Particle *p, float t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i].x += t * p[i].y;
}
