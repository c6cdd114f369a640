// SPDX-License-Identifier: Apache-2.0
//
// Cooperative groups (CUDA C++ Programming Guide, Cooperative Groups) in the words that they stand for: ranks
// and sizes are threadIdx and blockDim, exchanges are shuffles of a warp.
#include <string>

#include "annotate/lift/plain.h"
#include "annotate/lift/plain_nodes.h"
#include "annotate/rewrite/analysis.h"

namespace cupilot::lift {
namespace {

using rewrite::Kernel;
using rewrite::Kind;
using rewrite::Node;
using rewrite::Type;

constexpr int kLanes = 32;

enum class Group { none, block, warp };

Group group_of(const Type &type) {
  if (type.text.find("thread_block_tile<32") != std::string::npos) return Group::warp;
  if (type.text.ends_with("thread_block")) return Group::block;
  return Group::none;
}

Node like(const Node &node, Kind kind, const std::string &text) {
  Node made{.kind = kind, .text = text, .begin = node.begin, .end = node.end, .line = node.line};
  made.type = {.kind = Type::Kind::integer, .text = "int", .bits = 32};
  return made;
}

Node over_warp_size(const Node &node, const char *builtin, const char *op) {
  Node made = like(node, Kind::binary, op);
  made.children = {like(node, Kind::builtin, builtin), integer_at(node, kLanes)};
  return made;
}

/// An argument that is passed by a forwarding reference, which nothing writes through.
Node value_of(const Node &argument) {
  return argument.kind == Kind::unary && argument.text == "&" ? argument.children[0] : argument;
}

/// What a member function of a group stands for; an absent node: it stays.
Node plain_call(const Node &call, Group group) {
  const bool warp = group == Group::warp;
  if (call.text == "thread_rank")
    return warp ? over_warp_size(call, "threadIdx.x", "%") : like(call, Kind::builtin, "threadIdx.x");
  if (call.text == "size" || call.text == "num_threads")
    return warp ? integer_at(call, kLanes) : like(call, Kind::builtin, "blockDim.x");
  if (warp && call.text == "meta_group_rank") return over_warp_size(call, "threadIdx.x", "/");
  if (warp && call.text == "meta_group_size") return over_warp_size(call, "blockDim.x", "/");
  if (call.text == "sync") {
    Node barrier = call;
    barrier.text = warp ? "__syncwarp" : "__syncthreads";
    barrier.children.clear();
    return barrier;
  }
  if (warp && call.text.starts_with("shfl") && call.children.size() == 3) {
    Node shuffle = call;
    shuffle.text = "__" + call.text + "_sync";
    shuffle.children = {integer_at(call, -1), value_of(call.children[1]), value_of(call.children[2])};
    return shuffle;
  }
  return {};
}

bool declares_group(const Node &node) {
  return node.kind == Kind::declaration && node.children.size() == 1 &&
         group_of(node.children[0].type) != Group::none;
}

void rewrite_groups(Node &node) {
  for (Node &child : node.children) rewrite_groups(child);
  if (node.kind == Kind::compound)
    for (Node &child : node.children)
      if (declares_group(child)) child = like(child, Kind::empty, "");
  if (node.kind != Kind::call || node.function >= 0 || node.children.empty()) return;
  const Group group = group_of(node.children[0].type);
  if (group == Group::none) return;
  Node plain = plain_call(node, group);
  if (plain.kind != Kind::none) node = std::move(plain);
}

}  // namespace

rewrite::Node reduced_value(const Node &call) {
  return value_of(call.children[1]);
}

std::string warp_reduction(const Node &call) {
  const bool reduces = call.kind == Kind::call && call.text == "reduce" && call.children.size() == 3 &&
                       group_of(call.children[0].type) == Group::warp;
  if (!reduces) return {};
  const std::string &op = call.children[2].type.text;
  if (op.find("plus<") != std::string::npos) return "+";
  if (op.find("greater<") != std::string::npos) return "max";
  return op.find("less<") != std::string::npos ? "min" : "";
}

bool write_out_groups(Kernel &kernel) {
  bool some = false;
  rewrite::walk(kernel.body, [&](const Node &node) { some = some || declares_group(node); });
  if (!some) return false;
  rewrite_groups(kernel.body);
  for (rewrite::Function &function : kernel.functions) rewrite_groups(function.body);
  return true;
}

}  // namespace cupilot::lift
