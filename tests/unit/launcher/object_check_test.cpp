// SPDX-License-Identifier: Apache-2.0
//
// Objects are made by the C++ compiler at hand: what matters is symbols and references.
#include "driver/launcher/object_check.h"

#include <gtest/gtest.h>

#include "annotate/support/files.h"
#include "annotate/support/process.h"

namespace cupilot::launcher {
namespace {

/// Empty when the object passes.
std::string complaint(const std::string &source) {
  const auto folder = TemporaryFolder::create("cupilot-test").value();
  EXPECT_TRUE(write_file_atomic(folder.path() / "x.c", source));
  ProcessRequest request;
  request.argv = {"cc", "-O1", "-fno-inline", "-c", "x.c", "-o", "x.o"};
  request.folder = folder.path();
  const auto compiled = run_process(request).value();
  EXPECT_TRUE(compiled.ok()) << compiled.err;
  const auto checked = check_object(read_file(folder.path() / "x.o").value());
  return checked ? "" : checked.error().message;
}

const std::string kDispatcher =
    "int cudaLaunchKernel(void), cudaLaunchKernelExC(void), __cudaLaunchKernel(void);\n"
    "__attribute__((used)) static int cupilot_launch_function(void) { return cudaLaunchKernel() + 1; }\n"
    "__attribute__((used)) static int cupilot_launch_extended(void) { return cudaLaunchKernelExC() + 1; }\n"
    "__attribute__((used)) static int cupilot_launch_kernel(void) { return __cudaLaunchKernel() + 1; }\n";

TEST(CheckObject, AcceptsADispatcherThatCatchesAll) {
  EXPECT_EQ(complaint(kDispatcher + "int user(void) { return cupilot_launch_function() + 1; }\n"), "");
}

TEST(CheckObject, FindsALaunchThatEscapes) {
  EXPECT_EQ(complaint(kDispatcher + "int user(void) { return cudaLaunchKernel() + 2; }\n"),
            "a launch through 'cudaLaunchKernel' bypasses the dispatcher");
  EXPECT_EQ(complaint(kDispatcher + "int __cudaLaunchKernel_ptsz(void);\n"
                                    "int user(void) { return __cudaLaunchKernel_ptsz() + 2; }\n"),
            "a launch through '__cudaLaunchKernel' bypasses the dispatcher");
}

TEST(CheckObject, FindsLabelsThatAreNotDefined) {
  EXPECT_EQ(complaint("int x;\n"), "'cupilot_launch_function' is missing");
  EXPECT_EQ(complaint(kDispatcher +
                      "int cupilot_get_kernel(void); int user(void) { return cupilot_get_kernel() + 1; }\n"),
            "'cupilot_get_kernel' is not defined");
}

/// The names are those that g++ gives to a variant's functions.
const std::string kVariant = "__attribute__((used)) static int _ZN17cupilot_variant_06launchEv(void)";

TEST(CheckObject, FindsWhatOnlyAVariantNeeds) {
  EXPECT_EQ(complaint(kDispatcher + "int nowhere(void);\n" + kVariant + " { return nowhere() + 1; }\n"),
            "the variant needs 'nowhere', which the source does not need");
  EXPECT_EQ(complaint(kDispatcher + "extern int nowhere;\n" + kVariant + " { return nowhere; }\n"),
            "the variant needs 'nowhere', which the source does not need");
  EXPECT_EQ(
      complaint(kDispatcher + "int nowhere(void);\nint (*_ZN17cupilot_variant_01pE)(void) = nowhere;\n"),
      "the variant needs 'nowhere', which the source does not need");
  EXPECT_EQ(complaint(kDispatcher +
                      "int nowhere(void);\n__attribute__((weak)) int header(void) { return nowhere(); }\n" +
                      kVariant + " { return header() + 1; }\n"),
            "the variant needs 'nowhere', which the source does not need")
      << "by a function of a header that nobody else calls";
  EXPECT_EQ(complaint(kDispatcher + "int _ZN17cupilot_variant_07nowhereEv(void);\n" + kVariant +
                      " { return _ZN17cupilot_variant_07nowhereEv() + 1; }\n"),
            "the variant does not define '_ZN17cupilot_variant_07nowhereEv'");
}

TEST(CheckObject, AcceptsWhatEveryLinkOrTheSourceHas) {
  EXPECT_EQ(complaint(kDispatcher + "int theirs(void); int user(void) { return theirs() + 1; }\n" + kVariant +
                      " { return theirs() + 1; }\n"),
            "");
  EXPECT_EQ(complaint(kDispatcher + "int cudaMemsetAsync(void), _ZSt9terminatev(void);\n" + kVariant +
                      " { return cudaMemsetAsync() + _ZSt9terminatev(); }\n"),
            "");
  EXPECT_EQ(complaint(kDispatcher + "__attribute__((weak)) int optional(void);\n" + kVariant +
                      " { return optional ? optional() : 0; }\n"),
            "")
      << "a link does not need a weak symbol";
}

TEST(CheckObject, RefusesWhatIsNotAnObject) {
  EXPECT_FALSE(check_object(""));
  EXPECT_FALSE(check_object("BC\xc0\xde bitcode of a link-time optimised build"));
  const auto own = read_file("/proc/self/exe").value();
  EXPECT_FALSE(check_object(own)) << "a program is no object";
}

TEST(CheckObject, SurvivesDamage) {
  const auto folder = TemporaryFolder::create("cupilot-test").value();
  ASSERT_TRUE(write_file_atomic(folder.path() / "x.c", kDispatcher));
  ProcessRequest request;
  request.argv = {"cc", "-c", "x.c", "-o", "x.o"};
  request.folder = folder.path();
  ASSERT_TRUE(run_process(request).value().ok());
  const auto object = read_file(folder.path() / "x.o").value();
  for (std::size_t size = 0; size < object.size(); size += 7) (void)check_object(object.substr(0, size));
  for (std::size_t at = 0; at < object.size(); at += 3) {
    auto damaged = object;
    damaged[at] = '\xff';
    (void)check_object(damaged);
  }
}

}  // namespace
}  // namespace cupilot::launcher
