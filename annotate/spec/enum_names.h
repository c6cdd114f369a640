// SPDX-License-Identifier: Apache-2.0
//
// The names of the enumerators of a KernelSpec (annotate/support/enum_names.h).

#pragma once

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/enum_names.h"

namespace cupilot::spec {

EnumNames<ElementType> names_of(const ElementType *);
EnumNames<BufferRole> names_of(const BufferRole *);
EnumNames<FillKind> names_of(const FillKind *);
EnumNames<LaunchKind> names_of(const LaunchKind *);
EnumNames<PrecisionKind> names_of(const PrecisionKind *);

}  // namespace cupilot::spec
