// SPDX-License-Identifier: Apache-2.0
#include "annotate/rewrite/draft.h"

#include <charconv>

#include "annotate/support/names.h"
#include "annotate/support/text.h"

namespace cupilot::rewrite {

std::string declared(const Type &type, const std::string &name) {
  std::string text = type.text;
  if (type.is_restrict) text += std::string(text.ends_with('*') ? "" : " ") + "__restrict__";
  return text + (text.ends_with('*') ? "" : " ") + name;
}

std::string parameter_list(const Kernel &kernel) {
  std::vector<std::string> parts;
  for (const int index : kernel.parameters)
    parts.push_back(declared(kernel.variables[index].type, kernel.variables[index].name));
  return join(parts, ", ");
}

std::string argument_list(const Kernel &kernel) {
  std::vector<std::string> parts;
  for (const int index : kernel.parameters) parts.push_back(kernel.variables[index].name);
  return join(parts, ", ");
}

std::vector<int> constant_block(const spec::KernelSpec &spec) {
  std::vector<int> block;
  for (const spec::Workload &workload : spec.workloads) {
    std::vector<int> own;
    for (const std::string &extent : workload.launch.block) {
      int value = 0;
      const auto [end, error] = std::from_chars(extent.data(), extent.data() + extent.size(), value);
      if (error != std::errc() || end != extent.data() + extent.size()) return {};
      own.push_back(value);
    }
    if (!block.empty() && block != own) return {};
    block = own;
  }
  return block;
}

Words fresh_words(Names &names, std::initializer_list<const char *> words) {
  Words out;
  for (const char *word : words) out[word] = names.fresh(word);
  return out;
}

std::string fill(std::string text, const Words &values) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '$') {
      out += text[i++];
      continue;
    }
    std::size_t end = i + 1;
    while (end < text.size() && is_name_character(text[end])) ++end;
    const auto found = values.find(text.substr(i + 1, end - i - 1));
    if (found == values.end()) {
      out += text.substr(i, end - i);
    } else {
      out += found->second;
    }
    i = end;
  }
  return out;
}

}  // namespace cupilot::rewrite
