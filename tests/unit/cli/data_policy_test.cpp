// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/tune/data_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/files.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot::cli {
using namespace cupilot::cli::project;
using namespace cupilot::cli::tune;
namespace {

using testing::HasSubstr;
using testing::Not;

ModelOptions anthropic(const std::string &url = "") {
  ModelOptions options;
  options.provider = "anthropic";
  options.model = "m";
  options.base_url = url;
  EXPECT_TRUE(check_model_options(options));
  return options;
}

DataPolicy policy_to(const std::string &host) {
  return {.destinations = {{.provider = "anthropic", .model = "m", .host = host, .roles = {"translator"}}},
          .kernels = {{.name = "scale", .files = {"a.cu"}, .prefix = "the prefix"}}};
}

TEST(DataPolicy, SaysToWhomAndWhat) {
  ::unsetenv("ANTHROPIC_BASE_URL");
  EXPECT_EQ(destinations(anthropic())[0].host, "api.anthropic.com");
  EXPECT_EQ(destinations(anthropic("https://me:pw@proxy.example:8080/v1"))[0].host, "proxy.example:8080");
  ::setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9/v1", 1);
  EXPECT_EQ(destinations(anthropic())[0].host, "127.0.0.1:9");
  ::unsetenv("ANTHROPIC_BASE_URL");
  ModelOptions command;
  command.command = "python3 /opt/ask.py --token secret";
  ASSERT_TRUE(check_model_options(command));
  EXPECT_EQ(destinations(command)[0].host, "python3 /opt/ask.py");
  ModelOptions mailbox;
  mailbox.mailbox = "box";
  ASSERT_TRUE(check_model_options(mailbox));
  EXPECT_TRUE(destinations(mailbox).empty());
  EXPECT_THAT(data_policy_text({}, true), HasSubstr("Nothing leaves this machine"));
}

TEST(DataPolicy, PrefixesStandInTheWholeTextOnly) {
  const auto policy = policy_to("host");
  EXPECT_THAT(data_policy_text(policy, false), HasSubstr("scale: 10 characters, with code of a.cu"));
  EXPECT_THAT(data_policy_text(policy, false), Not(HasSubstr("the prefix\n")));
  EXPECT_THAT(data_policy_text(policy, true), HasSubstr("the prefix\n"));
}

TEST(DataPolicy, HoldOutsAreNotShown) {
  ProjectKernel kernel;
  kernel.spec = fake::scale_spec();
  ASSERT_FALSE(kernel.spec.workloads.empty());
  kernel.spec.workloads.push_back(kernel.spec.workloads[0]);
  kernel.spec.workloads.back().id = "secret_sizes";
  kernel.spec.workloads.back().holdout = true;
  const auto policy = data_policy_of(anthropic(), {kernel}, "sm_90");
  EXPECT_THAT(policy.kernels[0].prefix, HasSubstr(kernel.spec.name));
  EXPECT_THAT(policy.kernels[0].prefix, Not(HasSubstr("secret_sizes")));
}

TEST(Consent, IsAskedOnceForAProjectAndAHost) {
  const auto folder = TemporaryFolder::create("cupilot-consent");
  ASSERT_TRUE(folder);
  const Consents consents(folder->path() / "data" / "consents.txt");
  const Question nobody{}, accepted{.accepted = true};
  const auto refused = obtain_consent(policy_to("host"), "/project", consents, nobody);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().blame, Blame::user);
  EXPECT_THAT(refused.error().message, HasSubstr("--accept-data-policy"));
  EXPECT_TRUE(obtain_consent(policy_to("host"), "/project", consents, accepted));
  EXPECT_TRUE(obtain_consent(policy_to("host"), "/project", consents, nobody));
  EXPECT_FALSE(obtain_consent(policy_to("other.host"), "/project", consents, nobody));
  EXPECT_FALSE(obtain_consent(policy_to("host"), "/other/project", consents, nobody));
  EXPECT_TRUE(obtain_consent({}, "/project", consents, nobody));
}

}  // namespace
}  // namespace cupilot::cli
