// SPDX-License-Identifier: Apache-2.0
//
// The slice is parsed behind the prelude (annotate/spec/twin_prelude.h), so Clang itself knows what has a
// counterpart in double. The twin is printed from the pieces that twin_promoter.h puts in place of others.
#include "annotate/rewrite/twin.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>
#include <algorithm>

#include "annotate/rewrite/slice_unit.h"
#include "annotate/rewrite/text.h"
#include "annotate/rewrite/twin_promoter.h"
#include "annotate/spec/twin_prelude.h"

namespace cupilot::rewrite::twin {
namespace {

/// Records the first error inside the slice itself.
class Errors : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override {
    if (level < clang::DiagnosticsEngine::Error || !diagnostic.hasSourceManager() || !first.empty()) return;
    const clang::SourceManager &sources = diagnostic.getSourceManager();
    const clang::SourceLocation place = sources.getExpansionLoc(diagnostic.getLocation());
    if (place.isInvalid() || sources.getFileID(place) != sources.getMainFileID()) return;
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    first = text.str().str();
  }
  std::string first;
};

/// The slice followed by a declaration that uses the kernel as the entry does. After promotion, the twin's
/// types and template arguments are taken from that declaration.
struct Extended {
  std::string text;
  std::size_t slice_end = 0;
  std::vector<std::pair<std::size_t, std::size_t>> types;
  std::size_t name_begin = 0, name_end = 0;
};

Extended extend(const spec::KernelSpec &spec) {
  Extended made{spec.slice, spec.slice.size(), {}, 0, 0};
  made.text += "\n";
  for (const std::string &space : spec.namespaces) made.text += fmt::format("namespace {} {{ ", space);
  made.text += fmt::format("void (*{})(", kKernel);
  for (const spec::Parameter &parameter : spec.parameters) {
    if (!made.types.empty()) made.text += ", ";
    made.types.emplace_back(made.text.size(), made.text.size() + parameter.type.size());
    made.text += parameter.type;
  }
  made.text += ") = ";
  made.name_begin = made.text.size();
  made.text += spec.instantiation;
  made.name_end = made.text.size();
  made.text += ";";
  for (std::size_t i = 0; i < spec.namespaces.size(); ++i) made.text += " }";
  made.text += "\n";
  return made;
}

void find_in(Side side, const spec::KernelSpec &spec, const std::string &text, Findings &out) {
  Errors errors;
  const auto unit =
      parse_slice(text, spec.command, side,
                  std::string(spec::twin_prelude()) + std::string(spec::twin_prelude_sixteen()), errors);
  if (!unit) {
    out.refusals[0] = unit.error().message;
    return;
  }
  promote((*unit)->getASTContext(), spec, text, errors.first, out);
}

std::string nothing_to_promote(const spec::KernelSpec &spec, const Findings &findings) {
  const auto is_f64 = [](const spec::Parameter &p) { return p.element == spec::ElementType::f64; };
  if (findings.wide || std::ranges::any_of(spec.parameters, is_f64))
    return "the kernel computes in fp64 already";
  return "the kernel computes with integers only";
}

}  // namespace
}  // namespace cupilot::rewrite::twin

namespace cupilot::rewrite {

spec::Twin make_twin(const spec::KernelSpec &spec) {
  const twin::Extended extended = twin::extend(spec);
  twin::Findings findings;
  twin::find_in(Side::host, spec, extended.text, findings);
  if (spec.slice.find("__CUDA_ARCH") != std::string::npos)
    twin::find_in(Side::device, spec, extended.text, findings);
  spec::Twin made;
  if (!findings.refusals.empty())
    made.missing = findings.refusals.begin()->second;
  else if (!findings.single && !findings.sixteen)
    made.missing = twin::nothing_to_promote(spec, findings);
  if (!made.missing.empty()) return made;
  Edits edits;
  for (const auto &[begin, piece] : findings.pieces) edits.replace(begin, piece.first, piece.second);
  made.source = edits.print(extended.text, 0, extended.slice_end);
  made.instantiation = edits.print(extended.text, extended.name_begin, extended.name_end);
  for (const auto &[begin, end] : extended.types)
    made.types.push_back(edits.print(extended.text, begin, end));
  made.sixteen = findings.sixteen;
  return made;
}

}  // namespace cupilot::rewrite
