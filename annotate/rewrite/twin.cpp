// SPDX-License-Identifier: Apache-2.0
//
// The slice is parsed behind the prelude (annotate/spec/twin_prelude.h), so Clang itself knows what has a
// counterpart in double. The slice's own code is promoted where it is written. Instantiations of templates
// are visited too, because only they show the types in a cast or a call.
#include "annotate/rewrite/twin.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Lex/Lexer.h>
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "annotate/directive/source_lexer.h"
#include "annotate/rewrite/slice_unit.h"
#include "annotate/rewrite/text.h"
#include "annotate/spec/twin_prelude.h"
#include "annotate/support/text.h"

namespace cupilot {
namespace {

using namespace clang;
using rewrite::Side;

constexpr const char *kTwin = "cupilot_twin_";
/// A variable declared behind the slice that refers to the kernel as the judge's entry does.
constexpr const char *kKernel = "cupilot_twin_of_the_kernel";

std::string in_quotes(llvm::StringRef text) {
  return "'" + text.str() + "'";
}

/// Which kinds of numbers a value of some type contains.
struct Numbers {
  bool single = false, half = false, bfloat16 = false, wide = false, other = false;

  bool sixteen() const { return half || bfloat16; }
  bool narrow() const { return single || sixteen(); }
  bool mixed() const { return single + half + bfloat16 + (wide || other) > 1; }
};

void add_numbers(QualType type, Numbers &numbers);

void add_members(const CXXRecordDecl &record, Numbers &numbers) {
  const std::string name = record.getQualifiedNameAsString();
  if (name == "__half") {
    numbers.half = true;
  } else if (name == "__nv_bfloat16") {
    numbers.bfloat16 = true;
  } else if (record.hasDefinition() && !record.isDependentContext()) {
    for (const CXXBaseSpecifier &base : record.bases()) add_numbers(base.getType(), numbers);
    for (const FieldDecl *field : record.fields()) add_numbers(field->getType(), numbers);
  }
}

void add_numbers(QualType type, Numbers &numbers) {
  type = type.getCanonicalType();
  while (const auto *array = dyn_cast<ArrayType>(type.getTypePtr())) type = array->getElementType();
  if (const auto *vector = type->getAs<VectorType>()) type = vector->getElementType();
  if (const auto *record = type->getAsCXXRecordDecl()) return add_members(*record, numbers);
  const auto *builtin = type->getAs<BuiltinType>();
  const auto kind = builtin ? builtin->getKind() : BuiltinType::Void;
  numbers.single |= kind == BuiltinType::Float;
  numbers.half |= kind == BuiltinType::Half || kind == BuiltinType::Float16;
  numbers.bfloat16 |= kind == BuiltinType::BFloat16;
  numbers.wide |= kind == BuiltinType::Double || kind == BuiltinType::LongDouble;
  numbers.other |= !(builtin && builtin->isFloatingPoint()) && !type->isVoidType();
}

Numbers numbers_of(QualType type) {
  Numbers numbers;
  if (!type.isNull() && !type->isDependentType()) add_numbers(type, numbers);
  return numbers;
}

/// The type that a pointer or reference finally leads to, or the type itself.
QualType target_of(QualType type) {
  type = type.getNonReferenceType();
  while (true) {
    if (type->isPointerType())
      type = type->getPointeeType();
    else if (const auto *array = type->getAsArrayTypeUnsafe())
      type = array->getElementType();
    else
      return type;
  }
}

bool has_narrow_signature(const FunctionDecl &function) {
  const auto narrow = [](QualType type) { return numbers_of(target_of(type)).narrow(); };
  return narrow(function.getReturnType()) ||
         std::ranges::any_of(function.parameters(), [&](const auto *p) { return narrow(p->getType()); });
}

bool has_wide_signature(const FunctionDecl &function) {
  return !has_narrow_signature(function) && std::ranges::any_of(function.parameters(), [](const auto *p) {
    return numbers_of(target_of(p->getType())).wide;
  });
}

/// Types that expose the bits or the storage format of numbers. None of their members has a floating type.
bool holds_bits_of_floats(llvm::StringRef name) {
  static constexpr std::array<llvm::StringRef, 6> kNames{"__half_raw",          "__half2_raw",
                                                         "__nv_bfloat16_raw",   "__nv_bfloat162_raw",
                                                         "cudaTextureObject_t", "cudaSurfaceObject_t"};
  return name.starts_with("__nv_fp8") || name.starts_with("__nv_fp4") || name.starts_with("__nv_fp6") ||
         std::ranges::find(kNames, name) != kNames.end();
}

/// Assembly without floating-point data, such as synchronisation or reading the lane index.
bool is_harmless_assembly(llvm::StringRef text) {
  static constexpr std::array<llvm::StringRef, 10> kDangerous{".f32", ".f16", ".bf16", ".tf32",  "mma",
                                                              "ld.",  "st.",  "cp.",   "matrix", ".b16"};
  return std::ranges::none_of(kDangerous, [&](llvm::StringRef part) { return text.contains(part); });
}

std::string why_no_counterpart(llvm::StringRef function) {
  if (function.contains("_as_float") || function.ends_with("_as_half") || function.ends_with("_as_bfloat16"))
    return in_quotes(function) + " makes a float of bits";
  if (function.contains("float_as_") || function.contains("half_as_") || function.contains("bfloat16_as_"))
    return in_quotes(function) + " looks at the bits of a float";
  return in_quotes(function) + " has no counterpart in double";
}

/// What was found in one side (host or device) of the slice.
struct Findings {
  std::map<std::size_t, std::pair<std::size_t, std::string>> pieces;  ///< by begin: end, new text
  std::map<std::size_t, std::string> refusals;  ///< reasons by offset, each with file and line
  bool single = false, sixteen = false, wide = false;
  std::string error;  ///< the first error of Clang inside the slice
};

/// Records the first error inside the slice itself.
class Errors : public DiagnosticConsumer {
public:
  void HandleDiagnostic(DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override {
    if (level < DiagnosticsEngine::Error || !diagnostic.hasSourceManager() || !first.empty()) return;
    const SourceManager &sources = diagnostic.getSourceManager();
    const SourceLocation place = sources.getExpansionLoc(diagnostic.getLocation());
    if (place.isInvalid() || sources.getFileID(place) != sources.getMainFileID()) return;
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    first = text.str().str();
  }
  std::string first;
};

class Promoter : public RecursiveASTVisitor<Promoter> {
public:
  Promoter(ASTContext &context, const KernelSpec &spec, const std::string &text, Findings &out)
      : context_(context), sources_(context.getSourceManager()), spec_(spec), text_(text), out_(out) {}

  void run() {
    for (Decl *declaration : context_.getTranslationUnitDecl()->decls())
      if (is_ours(declaration->getLocation())) TraverseDecl(declaration);
  }

  /// Clang drops code that it does not understand. After an error, no word that would be promoted may be left
  /// over.
  void look_for_forgotten_words() {
    for (const RawToken &token : lex_source(text_).tokens) {
      const std::string word = text_.substr(token.begin, token.end - token.begin);
      const bool number = word.size() > 1 && (word.ends_with('f') || word.ends_with('F')) &&
                          !word.starts_with("0x") && word.find_first_of("0123456789") < 2;
      const bool narrow = token.identifier ? word == "float" || twin_of(word) : number;
      if (!narrow || is_replaced(token.begin)) continue;
      const SourceLocation place = sources_.getLocForStartOfFile(sources_.getMainFileID())
                                       .getLocWithOffset(static_cast<SourceLocation::IntTy>(token.begin));
      refuse(place, in_quotes(word) + " has no counterpart in double that Clang can tell: " + out_.error);
    }
  }

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitBuiltinTypeLoc(BuiltinTypeLoc type) {
    const auto kind = type.getTypePtr()->getKind();
    if (kind == BuiltinType::Float) promote_type(type.getBuiltinLoc(), "double");
    if (kind == BuiltinType::Double) out_.wide = true;
    const bool extension =
        kind == BuiltinType::Half || kind == BuiltinType::Float16 || kind == BuiltinType::BFloat16;
    if (extension)
      refuse(type.getBuiltinLoc(), in_quotes(type.getType().getAsString()) + " has no counterpart in double");
    return true;
  }

  bool VisitTypedefTypeLoc(TypedefTypeLoc type) {
    return name_type(*type.getTypePtr()->getDecl(), type.getNameLoc(), type.getQualifierLoc(),
                     type.getType());
  }
  bool VisitUsingTypeLoc(UsingTypeLoc type) {
    return name_type(*type.getTypePtr()->getDecl()->getTargetDecl(), type.getNameLoc(),
                     type.getQualifierLoc(), type.getType());
  }
  bool VisitTagTypeLoc(TagTypeLoc type) {
    return name_type(*type.getDecl(), type.getNameLoc(), type.getQualifierLoc(), type.getType());
  }

  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc type) {
    const TemplateDecl *named = type.getTypePtr()->getTemplateName().getAsTemplateDecl();
    if (!named || is_ours(named->getLocation())) return true;
    if (is_matrix(*named)) refuse_matrix(type.getTemplateNameLoc());
    if (named->getName() != "numeric_limits" || type.getNumArgs() != 1) return true;
    const TemplateArgument &argument = type.getArgLoc(0).getArgument();
    if (argument.getKind() != TemplateArgument::Type) return true;
    const Numbers numbers = numbers_of(argument.getAsType());
    if (numbers.sixteen())
      refuse(type.getTemplateNameLoc(), "'numeric_limits' of a 16-bit type has no counterpart in double");
    if (numbers.single) {
      replace(begin_of(type.getQualifierLoc(), type.getTemplateNameLoc()), type.getRAngleLoc(),
              "cupilot_float_limits");
      out_.single = true;
    }
    return true;
  }

  bool VisitFloatingLiteral(FloatingLiteral *literal) {
    if (!numbers_of(literal->getType()).narrow()) return true;
    if (!is_written_here(literal->getLocation())) return constant(literal->getLocation());
    std::string digits = token_at(literal->getLocation());
    if (!digits.ends_with('f') && !digits.ends_with('F')) return true;
    digits.pop_back();
    replace(literal->getLocation(), literal->getLocation(), digits);
    out_.single = true;
    return true;
  }

  bool VisitCallExpr(CallExpr *call) {
    const auto *callee = dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
    if (!callee || !callee->getDecl()->getIdentifier()) return true;
    const llvm::StringRef name = callee->getDecl()->getName();
    const bool constant = (name == "__int_as_float" || name == "__uint_as_float") &&
                          call->getNumArgs() == 1 &&
                          isa<IntegerLiteral>(call->getArg(0)->IgnoreParenImpCasts());
    if (constant && is_written_here(call->getBeginLoc()) && is_written_here(call->getEndLoc())) {
      constants_.insert(callee);
      const auto [begin, end] = range(call->getBeginLoc(), call->getEndLoc());
      put(begin, end, "static_cast<double>(" + text_.substr(begin, end - begin) + ")", call->getBeginLoc());
      out_.single = true;
    }
    if ((name == "memcpy" || name == "__builtin_memcpy") && call->getNumArgs() == 3) look_at_copy(*call);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *use) {
    const auto *function = dyn_cast<FunctionDecl>(use->getDecl());
    if (function && !constants_.contains(use))
      use_function(*function, use->getLocation(), use->getQualifierLoc());
    return true;
  }

  /// A call in a template. Which overload it means depends on the instantiation, but all have the same name.
  bool VisitUnresolvedLookupExpr(UnresolvedLookupExpr *use) {
    const bool has_none = use->decls_begin() == use->decls_end();
    const bool global = std::ranges::any_of(use->decls(), [&](const NamedDecl *found) {
      return is_promoted_function(*found->getUnderlyingDecl());
    });
    const bool unknown = has_none && !use->getQualifier() && twin_of(use->getName().getAsString());
    if (global || unknown)
      rename(use->getName().getAsString(), use->getNameLoc(), use->getQualifierLoc(), false);
    return true;
  }

  /// An overload that the user adds to a library function.
  bool VisitFunctionDecl(FunctionDecl *function) {
    if (isTemplateExplicitInstantiationOrSpecialization(function->getTemplateSpecializationKind()) &&
        function->getTemplateSpecializationKind() != TSK_ExplicitSpecialization)
      drop_explicit_instantiation(function->getPointOfInstantiation());
    if (!function->isTemplateInstantiation() && is_promoted_function(*function))
      rename(function->getNameAsString(), function->getLocation(), {}, false);
    return true;
  }

  bool VisitCXXRecordDecl(CXXRecordDecl *record) {
    if (!record->isUnion() || !record->isThisDeclarationADefinition() || record->isDependentContext())
      return true;
    Numbers numbers;
    add_members(*record, numbers);
    if (numbers.narrow() && numbers.mixed())
      refuse(record->getBeginLoc(), "a union may read the bits of a float");
    return true;
  }

  bool VisitGCCAsmStmt(GCCAsmStmt *assembly) {
    bool floating = !is_harmless_assembly(assembly->getAsmString());
    for (unsigned i = 0; i < assembly->getNumOutputs(); ++i)
      floating |= assembly->getOutputConstraint(i).find('f') != std::string::npos ||
                  numbers_of(assembly->getOutputExpr(i)->getType()).narrow();
    for (unsigned i = 0; i < assembly->getNumInputs(); ++i)
      floating |= assembly->getInputConstraint(i).find('f') != std::string::npos ||
                  numbers_of(assembly->getInputExpr(i)->getType()).narrow();
    if (floating) refuse(assembly->getAsmLoc(), "inline assembly on floating data has no form in double");
    return true;
  }

  /// Code that Clang could not resolve, such as a call.
  bool VisitRecoveryExpr(RecoveryExpr *recovery) {
    for (const Expr *part : recovery->subExpressions())
      if (numbers_of(target_of(part->getType())).narrow())
        refuse(recovery->getBeginLoc(), in_quotes(token_at(recovery->getBeginLoc())) +
                                            " has no counterpart in double that Clang can tell");
    return true;
  }

  bool VisitBuiltinBitCastExpr(BuiltinBitCastExpr *cast) {
    if (numbers_of(cast->getType()).narrow() || numbers_of(cast->getSubExpr()->getType()).narrow())
      refuse(cast->getBeginLoc(), "'__builtin_bit_cast' looks at the bits of a number");
    return true;
  }

  bool VisitExplicitCastExpr(ExplicitCastExpr *cast) {
    look_at_cast(*cast, false);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *operation) {
    if (operation->getOpcode() == UO_Deref) look_at_read(*operation->getSubExpr());
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *subscript) {
    look_at_read(*subscript->getBase());
    return true;
  }

  /// Checks the kernel's own parameters in the variable behind the slice.
  bool VisitVarDecl(VarDecl *variable) {
    if (!variable->getIdentifier() || variable->getName() != kKernel) return true;
    const auto *type = variable->getType()->getPointeeType()->getAs<FunctionProtoType>();
    for (unsigned i = 0; type && i < type->getNumParams() && i < spec_.parameters.size(); ++i) {
      const auto *record = target_of(type->getParamType(i))->getAsCXXRecordDecl();
      const Parameter &parameter = spec_.parameters[i];
      if (!record || !parameter.pointer || !numbers_of(context_.getCanonicalTagType(record)).narrow())
        continue;
      if (is_ours(record->getLocation()) || !record->getIdentifier() || !twin_of(record->getName().str()))
        out_.refusals[0] = in_quotes(parameter.name) + " holds " + in_quotes(parameter.element_type) +
                           ", whose members cannot be widened";
    }
    return true;
  }

private:
  bool is_ours(SourceLocation place) const {
    return place.isValid() && sources_.getFileID(sources_.getExpansionLoc(place)) == sources_.getMainFileID();
  }
  /// Clang declares its own builtins where they are first used, which may be in the slice.
  bool is_ours(const FunctionDecl &function) const {
    return function.getBuiltinID() == 0 && is_ours(function.getLocation());
  }
  bool is_written_here(SourceLocation place) const {
    return place.isValid() && sources_.getFileID(sources_.getSpellingLoc(place)) == sources_.getMainFileID();
  }

  bool is_replaced(std::size_t at) const {
    return std::ranges::any_of(
        out_.pieces, [&](const auto &piece) { return piece.first <= at && at < piece.second.first; });
  }

  std::size_t offset(SourceLocation place) const {
    return sources_.getFileOffset(sources_.getSpellingLoc(place));
  }
  std::size_t token_end(SourceLocation place) const {
    const SourceLocation spelled = sources_.getSpellingLoc(place);
    return offset(place) + Lexer::MeasureTokenLength(spelled, sources_, context_.getLangOpts());
  }
  std::string token_at(SourceLocation place) const {
    return text_.substr(offset(place), token_end(place) - offset(place));
  }
  std::pair<std::size_t, std::size_t> range(SourceLocation first, SourceLocation last) const {
    return {offset(first), std::max(token_end(first), token_end(last))};
  }

  static SourceLocation begin_of(NestedNameSpecifierLoc qualifier, SourceLocation name) {
    return qualifier ? qualifier.getBeginLoc() : name;
  }

  void refuse(SourceLocation place, const std::string &reason) {
    SourceLocation shown = place;
    while (shown.isMacroID() && !is_written_here(shown)) shown = sources_.getImmediateMacroCallerLoc(shown);
    shown = sources_.getSpellingLoc(shown);
    const PresumedLoc line = sources_.getPresumedLoc(shown);
    const bool named = line.isValid() && std::string_view(line.getFilename()) != rewrite::kSlicePath;
    const std::string number = std::to_string(line.isValid() ? line.getLine() : 0);
    const std::string where = named ? std::string(line.getFilename()) + ":" + number : "line " + number;
    out_.refusals.try_emplace(sources_.getFileOffset(shown) + 1, where + ": " + reason);
  }

  void refuse_matrix(SourceLocation place) {
    refuse(place, "'wmma': matrix instructions have no form in double");
  }

  void put(std::size_t begin, std::size_t end, const std::string &text, SourceLocation place) {
    const auto [there, fresh] = out_.pieces.try_emplace(begin, end, text);
    if (fresh || there->second.second == text) return;
    refuse(place, "a macro stands for different types from use to use");
  }

  void replace(SourceLocation first, SourceLocation last, const std::string &text) {
    if (!is_written_here(first) || !is_written_here(last)) return refuse_foreign(first);
    const auto [begin, end] = range(first, last);
    put(begin, end, text, first);
  }

  /// A macro of a library or of the command line is not in the slice's text, so it cannot be promoted.
  void refuse_foreign(SourceLocation place) {
    if (!place.isMacroID()) return;
    const std::string macro = Lexer::getImmediateMacroName(place, sources_, context_.getLangOpts()).str();
    for (const std::string &flag : spec_.command.flags)
      if (flag.starts_with("-D" + macro + "=")) {
        out_.refusals[0] = "the command line's " + flag + " names a floating type";
        return;
      }
    refuse(place, "the macro " + in_quotes(macro) + " names a floating type");
  }

  void promote_type(SourceLocation place, const std::string &name) {
    replace(place, place, name);
    out_.single = true;
  }

  /// A macro for a number of type float (FLT_MAX, INFINITY, CUDART_INF_F) keeps its value and is cast to
  /// double.
  bool constant(SourceLocation place) {
    while (place.isMacroID() && !is_written_here(place)) place = sources_.getImmediateMacroCallerLoc(place);
    if (!is_written_here(place)) return true;
    const std::size_t end = token_end(place);
    const std::size_t next = text_.find_first_not_of(" \t", end);
    if (next != std::string::npos && text_[next] == '(') return true;
    put(offset(place), end, "static_cast<double>(" + token_at(place) + ")", place);
    out_.single = true;
    return true;
  }

  bool is_matrix(const Decl &declaration) const {
    for (const auto *scope = declaration.getDeclContext(); scope; scope = scope->getParent())
      if (const auto *space = dyn_cast<NamespaceDecl>(scope); space && space->getName() == "wmma")
        return !is_ours(space->getLocation());
    return false;
  }

  /// The prelude's declaration for a name of the library, or null.
  const NamedDecl *twin_of(const std::string &word) const {
    const auto found = context_.getTranslationUnitDecl()->lookup(&context_.Idents.get(kTwin + word));
    return found.empty() || is_ours(found.front()->getLocation()) ? nullptr : found.front();
  }

  /// The second part of the prelude begins with the declaration of its type cupilot_narrow.
  bool is_of_second_part(const NamedDecl &twin) const {
    const auto narrow = context_.getTranslationUnitDecl()->lookup(&context_.Idents.get("cupilot_narrow"));
    return !narrow.empty() &&
           sources_.isBeforeInTranslationUnit(narrow.front()->getLocation(), twin.getLocation());
  }

  bool name_type(const NamedDecl &declaration, SourceLocation place, NestedNameSpecifierLoc qualifier,
                 QualType type) {
    if (!declaration.getIdentifier() || is_ours(declaration.getLocation()) ||
        !declaration.getDeclContext()->getRedeclContext()->isFileContext())
      return true;
    const std::string name = declaration.getName().str();
    if (is_matrix(declaration)) refuse_matrix(place);
    if (holds_bits_of_floats(name)) refuse(place, in_quotes(name) + " has no counterpart in double");
    const Numbers numbers = numbers_of(type);
    if (!numbers.narrow()) return true;
    if (twin_of(name)) {
      rename(name, place, qualifier, numbers.sixteen());
    } else if (type->isSpecificBuiltinType(BuiltinType::Float)) {
      replace(begin_of(qualifier, place), place, "double");
    } else {
      refuse(place, in_quotes(name) + " has no counterpart in double");
    }
    out_.single |= numbers.single;
    return true;
  }

  /// `::sqrtf` becomes `::cupilot_twin_sqrtf`. A namespace in front of the name is removed.
  void rename(const std::string &name, SourceLocation place, NestedNameSpecifierLoc qualifier, bool sixteen) {
    const bool in_namespace =
        qualifier && qualifier.getNestedNameSpecifier().getKind() != NestedNameSpecifier::Kind::Global;
    replace(in_namespace ? qualifier.getBeginLoc() : place, place, kTwin + name);
    const NamedDecl *twin = twin_of(name);
    out_.sixteen |= sixteen || (twin && is_of_second_part(*twin));
  }

  /// `template void f<float>(float);` has no node in the AST. It is removed; the entry instantiates what it
  /// needs.
  void drop_explicit_instantiation(SourceLocation name) {
    if (!is_written_here(name) || name.isMacroID()) return;
    std::size_t begin = std::string::npos;
    for (const RawToken &token : lex_source(text_).tokens) {
      if (token.begin >= offset(name)) break;
      if (text_.substr(token.begin, token.end - token.begin) == "template") begin = token.begin;
    }
    const std::size_t end = text_.find(';', offset(name));
    if (begin != std::string::npos && end != std::string::npos) put(begin, end + 1, "", name);
  }

  static bool is_global(const Decl &declaration) {
    const DeclContext *scope = declaration.getDeclContext()->getRedeclContext();
    return scope->isTranslationUnit() || scope->isStdNamespace();
  }

  /// Whether this is a library function with a twin, or the user's overload of one.
  bool is_promoted_function(const NamedDecl &declaration) const {
    if (!isa<FunctionDecl, FunctionTemplateDecl>(declaration) || !declaration.getIdentifier() ||
        !is_global(declaration) || !twin_of(declaration.getName().str()))
      return false;
    if (!is_ours(declaration.getLocation())) return true;
    const auto overloads = context_.getTranslationUnitDecl()->lookup(declaration.getDeclName());
    return std::ranges::any_of(overloads, [&](const NamedDecl *other) {
      return isa<FunctionDecl, FunctionTemplateDecl>(other) && !is_ours(other->getLocation());
    });
  }

  void use_function(const FunctionDecl &function, SourceLocation place, NestedNameSpecifierLoc qualifier) {
    const bool ours = is_ours(function);
    if (!ours && is_matrix(function)) return refuse_matrix(place);
    if (!function.getIdentifier() || isa<CXXMethodDecl>(function)) return;
    const bool narrow = has_narrow_signature(function);
    if (!is_written_here(place)) {
      if (!ours && narrow) constant(place);
      return;
    }
    if (is_promoted_function(function)) {
      rename(function.getNameAsString(), place, qualifier, false);
      out_.single |= narrow;
      return;
    }
    if (ours || !narrow) return;
    if (function.getName() == "bit_cast") return refuse(place, "'bit_cast' looks at the bits of a number");
    const auto overloads = function.getDeclContext()->lookup(function.getDeclName());
    const bool wide = std::ranges::any_of(overloads, [](const NamedDecl *other) {
      const auto *overload = dyn_cast<FunctionDecl>(other->getUnderlyingDecl());
      return overload && has_wide_signature(*overload);
    });
    if (!wide && !function.isTemplateInstantiation()) refuse(place, why_no_counterpart(function.getName()));
  }

  /// The name of the first variable with narrow numbers in an expression, for messages.
  std::string named_in(const Stmt *expression) const {
    const ValueDecl *found = nullptr;
    if (const auto *use = dyn_cast<DeclRefExpr>(expression)) found = use->getDecl();
    if (const auto *use = dyn_cast<MemberExpr>(expression)) found = use->getMemberDecl();
    if (found && !isa<FunctionDecl>(found) && numbers_of(target_of(found->getType())).narrow())
      return in_quotes(found->getNameAsString());
    for (const Stmt *child : expression->children()) {
      if (!child) continue;
      if (std::string name = named_in(child); !name.empty()) return name;
    }
    return "";
  }

  void refuse_bytes(SourceLocation place, const Expr &of) {
    const std::string name = named_in(&of);
    refuse(place, "the bytes of " + (name.empty() ? "a number" : name) + " are read as another type");
  }

  /// The operand of a cast, without intermediate casts to `void *`.
  static const Expr &before_casts(const Expr &operand) {
    const Expr *expression = operand.IgnoreParenImpCasts();
    while (const auto *cast = dyn_cast<ExplicitCastExpr>(expression)) {
      if (!cast->getType()->isVoidPointerType()) break;
      expression = cast->getSubExpr()->IgnoreParenImpCasts();
    }
    return *expression;
  }

  /// Looks for reads through a cast: `*(int *)&x`, `((int *)&x)[0]`, `*((int *)x + 1)`.
  void look_at_read(const Expr &pointer) {
    const Expr *expression = pointer.IgnoreParenImpCasts();
    while (const auto *sum = dyn_cast<clang::BinaryOperator>(expression)) {
      if (!sum->isAdditiveOp()) return;
      expression =
          (sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS())->IgnoreParenImpCasts();
    }
    if (const auto *cast = dyn_cast<ExplicitCastExpr>(expression)) look_at_cast(*cast, true);
  }

  /// Refuses floating data that is read as something else, because the twin's numbers have another size. A
  /// cast to a pointer to scalars counts only if it is dereferenced at once (`read`); otherwise it may point
  /// to other data behind the floats.
  void look_at_cast(const ExplicitCastExpr &cast, bool read) {
    if (cast.getCastKind() != CK_BitCast && cast.getCastKind() != CK_LValueBitCast) return;
    const QualType to = cast.getTypeAsWritten();
    const Expr &operand = before_casts(*cast.getSubExpr());
    if (!to->isPointerType() && !to->isReferenceType()) return;
    const QualType target = to->isPointerType() ? to->getPointeeType() : to.getNonReferenceType();
    const QualType source =
        to->isPointerType() ? target_of_one(operand.getType()) : operand.getType().getNonReferenceType();
    if (source.isNull() || target->isDependentType() || source->isDependentType()) return;
    if (target->isVoidType() || source->isVoidType()) return;
    const Numbers from = numbers_of(source), into = numbers_of(target);
    const bool whole = read || to->isReferenceType() || target->isRecordType();
    const bool taken_apart =
        from.narrow() && !into.narrow() && (into.other || into.wide) && whole && !target->isPointerType();
    const bool regrouped = from.sixteen() && into.single;
    const bool made = into.narrow() && !from.narrow() && (read || to->isReferenceType()) &&
                      source->isScalarType() && !source->isAnyCharacterType() && !source->isPointerType();
    if (taken_apart || regrouped) refuse_bytes(cast.getBeginLoc(), operand);
    if (made) refuse(cast.getBeginLoc(), "the bytes of a number are read as a float");
  }

  /// The pointee of a pointer type or the element type of an array.
  static QualType target_of_one(QualType type) {
    if (type->isPointerType()) return type->getPointeeType();
    if (const auto *array = type->getAsArrayTypeUnsafe()) return target_of(array->getElementType());
    return {};
  }

  void look_at_copy(const CallExpr &call) {
    const Expr &to = before_casts(*call.getArg(0)), &from = before_casts(*call.getArg(1));
    const QualType target = target_of_one(to.getType()), source = target_of_one(from.getType());
    if (target.isNull() || source.isNull() || target->isDependentType() || source->isDependentType()) return;
    const Numbers into = numbers_of(target), of = numbers_of(source);
    const auto untyped = [](QualType type) { return type->isVoidType() || type->isAnyCharacterType(); };
    if (into.narrow() != of.narrow() && !untyped(target) && !untyped(source))
      refuse_bytes(call.getBeginLoc(), of.narrow() ? from : to);
  }

  ASTContext &context_;
  const SourceManager &sources_;
  const KernelSpec &spec_;
  const std::string &text_;
  Findings &out_;
  std::set<const DeclRefExpr *> constants_;  ///< callees of calls that are constants
};

/// The slice followed by a declaration that uses the kernel as the entry does. After promotion, the twin's
/// types and template arguments are taken from that declaration.
struct Extended {
  std::string text;
  std::size_t slice_end = 0;
  std::vector<std::pair<std::size_t, std::size_t>> types;
  std::size_t name_begin = 0, name_end = 0;
};

Extended extend(const KernelSpec &spec) {
  Extended made{spec.slice, spec.slice.size(), {}, 0, 0};
  made.text += "\n";
  for (const std::string &space : spec.namespaces) made.text += "namespace " + space + " { ";
  made.text += std::string("void (*") + kKernel + ")(";
  for (const Parameter &parameter : spec.parameters) {
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

void find_in(Side side, const KernelSpec &spec, const std::string &text, Findings &out) {
  Errors errors;
  const auto unit = rewrite::parse_slice(
      text, spec.command, side, std::string(twin_prelude()) + std::string(twin_prelude_sixteen()), errors);
  if (!unit) {
    out.refusals[0] = unit.error().message;
    return;
  }
  Promoter promoter((*unit)->getASTContext(), spec, text, out);
  promoter.run();
  if (errors.first.empty()) return;
  out.error = errors.first;
  promoter.look_for_forgotten_words();
}

std::string nothing_to_promote(const KernelSpec &spec, const Findings &findings) {
  const auto is_f64 = [](const Parameter &p) { return p.element == ElementType::f64; };
  if (findings.wide || std::ranges::any_of(spec.parameters, is_f64))
    return "the kernel computes in fp64 already";
  return "the kernel computes with integers only";
}

}  // namespace

Twin make_twin(const KernelSpec &spec) {
  Twin twin;
  const Extended extended = extend(spec);
  Findings findings;
  find_in(Side::host, spec, extended.text, findings);
  if (spec.slice.find("__CUDA_ARCH") != std::string::npos)
    find_in(Side::device, spec, extended.text, findings);
  if (!findings.refusals.empty())
    twin.missing = findings.refusals.begin()->second;
  else if (!findings.single && !findings.sixteen)
    twin.missing = nothing_to_promote(spec, findings);
  if (!twin.missing.empty()) return twin;
  rewrite::Edits edits;
  for (const auto &[begin, piece] : findings.pieces) edits.replace(begin, piece.first, piece.second);
  twin.source = edits.print(extended.text, 0, extended.slice_end);
  twin.instantiation = edits.print(extended.text, extended.name_begin, extended.name_end);
  for (const auto &[begin, end] : extended.types)
    twin.types.push_back(edits.print(extended.text, begin, end));
  twin.sixteen = findings.sixteen;
  return twin;
}

}  // namespace cupilot
