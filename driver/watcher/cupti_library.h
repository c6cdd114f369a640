// SPDX-License-Identifier: Apache-2.0
//
// CUPTI, looked up at run time.

#pragma once

#include <dlfcn.h>

#include "annotate/support/result.h"

namespace cupilot::watcher {

class CuptiLibrary {
public:
  /// The same library each time.
  static Result<CuptiLibrary> load();
  /// False: it has no such function.
  template <class Function>
  bool find(const char *name, Function &function) const {
    function = reinterpret_cast<Function>(dlsym(handle_, name));
    return function != nullptr;
  }

private:
  void *handle_ = nullptr;
};

}  // namespace cupilot::watcher
