// SPDX-License-Identifier: Apache-2.0
//
// One symbol of each file of the runtime's functions. A program that offers them to the libraries it opens
// (-rdynamic) calls none itself, and a linker takes from a static library only what is asked for: so every
// program that links cupilot::emulate_runtime asks for this list.

extern "C" {

void cudaMalloc();
void cudaMallocAsync();
void cudaMemcpy();
void cudaMemset();
void cudaMemcpyToSymbol();
void cudaStreamCreate();
void cudaStreamBeginCapture();
void cudaGraphCreate();
void cudaGetErrorString();
void cudaDeviceSynchronize();
void cudaFuncGetAttributes();
void cudaLaunchKernel();
void __cudaRegisterFatBinary();
void cudaCreateTextureObject();

using Function = void (*)();
extern const Function cupilot_emulate_runtime_symbols[];
const Function cupilot_emulate_runtime_symbols[] = {cudaMalloc,
                                                    cudaMallocAsync,
                                                    cudaMemcpy,
                                                    cudaMemset,
                                                    cudaMemcpyToSymbol,
                                                    cudaStreamCreate,
                                                    cudaStreamBeginCapture,
                                                    cudaGraphCreate,
                                                    cudaGetErrorString,
                                                    cudaDeviceSynchronize,
                                                    cudaFuncGetAttributes,
                                                    cudaLaunchKernel,
                                                    __cudaRegisterFatBinary,
                                                    cudaCreateTextureObject};

}  // extern "C"
