// SPDX-License-Identifier: Apache-2.0
//
// Whether a variant is in the user's file what it was for the judge. The judge compiles it with a slice of
// that file, a build with the whole file; a macro, an overload or a specialization that the slice has not
// could make something else of it. Both are compiled here with the user's flags: the tokens of the variant
// after preprocessing must be the same, and so must the code, kernel by kernel and from launch() on, down to
// every function that is reached.

#pragma once

#include <filesystem>
#include <string>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"

namespace cupilot::cli::records {

struct BuiltVariant {
  const spec::KernelSpec &spec;
  std::string architecture;       ///< "sm_90"
  std::string text;               ///< of the record's variant.cuh
  std::filesystem::path path;     ///< where the launcher has read it
  std::filesystem::path wrapper;  ///< what the launcher has compiled in place of the user's file
  std::filesystem::path kept;     ///< the compiler's intermediate files of that
};

struct SameText {
  std::string difference;  ///< a sentence that names place, both texts and the way out; empty: none
  std::string missing;     ///< why it could not be compared
};

/// `scratch` is an empty folder.
Result<SameText> compare_texts(const BuiltVariant &built, const std::filesystem::path &scratch);

}  // namespace cupilot::cli::records
