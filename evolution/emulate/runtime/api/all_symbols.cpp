// SPDX-License-Identifier: Apache-2.0
//
// Lists one symbol of each file of the runtime's functions. A program that exports them to the libraries it
// opens (-rdynamic) calls none of them itself, and a linker takes only referenced files from a static
// library. Therefore every program that links cupilot::emulate_runtime references this list.

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
