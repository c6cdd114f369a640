// SPDX-License-Identifier: Apache-2.0

#include "annotate/extract/signature.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/PrettyPrinter.h>
#include <clang/AST/RecordLayout.h>
#include <fmt/format.h>
#include <algorithm>
#include <cstdint>

#include "annotate/directive/literal.h"
#include "annotate/support/text.h"

namespace cupilot::extract {
namespace {

clang::PrintingPolicy spelling(const clang::ASTContext &context) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.Bool = true;
  policy.PrintAsCanonical = true;
  return policy;
}

spec::ElementType integer_type(unsigned bits, bool is_signed) {
  using enum spec::ElementType;
  switch (bits) {
    case 8:
      return is_signed ? i8 : u8;
    case 16:
      return is_signed ? i16 : u16;
    case 32:
      return is_signed ? i32 : u32;
    case 64:
      return is_signed ? i64 : u64;
    default:
      return opaque;
  }
}

spec::ElementType element_type(clang::QualType type, const clang::ASTContext &context) {
  using enum spec::ElementType;
  if (type->isBooleanType()) return boolean;
  if (type->isSpecificBuiltinType(clang::BuiltinType::Float)) return f32;
  if (type->isSpecificBuiltinType(clang::BuiltinType::Double)) return f64;
  if (type->isIntegralOrEnumerationType() && !type->isIncompleteType())
    return integer_type(static_cast<unsigned>(context.getTypeSize(type)),
                        type->isSignedIntegerOrEnumerationType());
  if (const auto *record = type->getAsCXXRecordDecl()) {
    const std::string name = record->getQualifiedNameAsString();
    if (name == "__half") return f16;
    if (name == "__nv_bfloat16") return bf16;
  }
  return opaque;
}

constexpr std::size_t kMostMembers = 64;

/// Collects the numbers of a class type. Anything else ends it: the judge does not know what may stand there.
class Members {
public:
  explicit Members(const clang::ASTContext &context) : context_(context) {}

  std::vector<spec::Member> of(clang::QualType type) {
    const bool all = add("", type, 0);
    return all ? std::move(members_) : std::vector<spec::Member>();
  }

private:
  bool add(const std::string &name, clang::QualType type, std::size_t offset) {
    type = type.getCanonicalType().getUnqualifiedType();
    if (type.isVolatileQualified() || type->isIncompleteType()) return false;
    if (const spec::ElementType number = element_type(type, context_); number != spec::ElementType::opaque)
      return add_number(name, number, offset, bytes_of(type));
    if (const auto *array = context_.getAsConstantArrayType(type)) return add_array(name, *array, offset);
    const auto *record = type->getAsCXXRecordDecl();
    return record && add_record(name, *record, offset);
  }

  std::size_t bytes_of(clang::QualType type) const {
    return static_cast<std::size_t>(context_.getTypeSizeInChars(type).getQuantity());
  }

  /// Members of packed types may stand where no load of their type can read them.
  bool add_number(const std::string &name, spec::ElementType type, std::size_t offset, std::size_t bytes) {
    members_.push_back({name, type, offset, 1});
    return offset % bytes == 0 && members_.size() <= kMostMembers;
  }

  bool add_array(const std::string &name, const clang::ConstantArrayType &array, std::size_t offset) {
    const clang::QualType element = array.getElementType();
    const auto count = static_cast<std::size_t>(array.getSize().getZExtValue());
    if (element_type(element.getCanonicalType().getUnqualifiedType(), context_) !=
        spec::ElementType::opaque) {
      if (count == 0 || !add(name, element, offset)) return false;
      members_.back().count = count;
      return true;
    }
    for (std::size_t i = 0; i < count; ++i)
      if (!add(fmt::format("{}[{}]", name, i), element, offset + i * bytes_of(element))) return false;
    return count > 0;
  }

  bool add_record(const std::string &name, const clang::CXXRecordDecl &record, std::size_t offset) {
    if (record.isUnion() || record.isDynamicClass() || !record.hasTrivialDestructor() || record.isEmpty())
      return false;
    const clang::ASTRecordLayout &layout = context_.getASTRecordLayout(&record);
    for (const clang::CXXBaseSpecifier &base : record.bases()) {
      const auto *type = base.getType()->getAsCXXRecordDecl();
      if (!type || base.isVirtual()) return false;
      const auto at = static_cast<std::size_t>(layout.getBaseClassOffset(type).getQuantity());
      if (!type->isEmpty() && !add_record(name, *type, offset + at)) return false;
    }
    for (const clang::FieldDecl *field : record.fields()) {
      const auto at = static_cast<std::size_t>(
          context_
              .toCharUnitsFromBits(static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex())))
              .getQuantity());
      if (field->isBitField() || !add(joined(name, *field), field->getType(), offset + at)) return false;
    }
    return true;
  }

  /// An anonymous member has no name of its own.
  static std::string joined(const std::string &name, const clang::FieldDecl &field) {
    const std::string own = field.getNameAsString();
    return name.empty() || own.empty() ? name + own : name + "." + own;
  }

  const clang::ASTContext &context_;
  std::vector<spec::Member> members_;
};

spec::Parameter parameter_of(const clang::ParmVarDecl &declaration, const clang::ASTContext &context) {
  const clang::QualType type = declaration.getType().getCanonicalType();
  spec::Parameter made;
  made.name = declaration.getNameAsString();
  made.type = type.getUnqualifiedType().getAsString(spelling(context));
  made.pointer = type->isPointerType();
  made.restrict_qualified = type.isRestrictQualified();
  if (made.restrict_qualified) made.type += made.type.ends_with('*') ? "__restrict__" : " __restrict__";
  clang::QualType element = made.pointer ? type->getPointeeType() : type;
  made.const_pointee = made.pointer && element.isConstQualified();
  element = element.getUnqualifiedType();
  made.element = element_type(element, context);
  made.element_type = element.getAsString(spelling(context));
  const bool plain = !element->isIncompleteType() && !element->isPointerType() && !element->isFunctionType();
  if (plain) made.element_bytes = static_cast<std::size_t>(context.getTypeSizeInChars(element).getQuantity());
  if (plain && made.pointer && made.element == spec::ElementType::opaque)
    made.members = Members(context).of(element);
  return made;
}

std::string arguments_of(const clang::FunctionDecl &kernel, const clang::ASTContext &context) {
  const auto *arguments = kernel.getTemplateSpecializationArgs();
  if (!arguments) return "";
  std::string text;
  llvm::raw_string_ostream out(text);
  clang::printTemplateArgumentList(out, arguments->asArray(), spelling(context));
  return text;
}

bool is_local(clang::QualType type) {
  const auto *tag = type.getCanonicalType()->getAsTagDecl();
  const auto *record = llvm::dyn_cast_or_null<clang::CXXRecordDecl>(tag);
  return tag && (tag->getParentFunctionOrMethod() || (record && record->isLambda()) || !tag->getIdentifier());
}

std::string parameter_types(const clang::FunctionDecl &kernel, const clang::ASTContext &context) {
  std::vector<std::string> types;
  const auto parameters = parameters_of(kernel, context);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    // nvcc compares the annotation with that of the definition.
    const bool constant =
        kernel.getParamDecl(static_cast<unsigned>(i))->hasAttr<clang::CUDAGridConstantAttr>();
    types.push_back((constant ? "const __grid_constant__ " : "") + parameters[i].type);
  }
  return join(types, ", ");
}

}  // namespace

std::vector<spec::Parameter> parameters_of(const clang::FunctionDecl &kernel,
                                           const clang::ASTContext &context) {
  std::vector<spec::Parameter> parameters;
  for (const clang::ParmVarDecl *declaration : kernel.parameters())
    parameters.push_back(parameter_of(*declaration, context));
  return parameters;
}

std::vector<std::string> namespaces_of(const clang::FunctionDecl &kernel) {
  std::vector<std::string> names;
  for (const auto *context = kernel.getDeclContext(); context; context = context->getParent())
    if (const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(context))
      names.push_back(space->isAnonymousNamespace() ? "" : space->getNameAsString());
  std::ranges::reverse(names);
  return names;
}

std::string qualified_name_of(const clang::FunctionDecl &kernel) {
  std::string name;
  for (const std::string &space : namespaces_of(kernel))
    if (!space.empty()) name += space + "::";
  return name + kernel.getNameAsString();
}

std::string instantiation_of(const clang::FunctionDecl &kernel, const clang::ASTContext &context) {
  return kernel.getNameAsString() + arguments_of(kernel, context);
}

bool can_be_named(const clang::FunctionDecl &kernel) {
  const auto *arguments = kernel.getTemplateSpecializationArgs();
  if (!arguments) return true;
  return std::ranges::none_of(arguments->asArray(), [](const clang::TemplateArgument &argument) {
    return argument.getKind() == clang::TemplateArgument::Type && is_local(argument.getAsType());
  });
}

std::string symbol_of(const clang::FunctionDecl &kernel, clang::ASTContext &context) {
  const std::unique_ptr<clang::MangleContext> mangler(context.createMangleContext());
  if (!mangler->shouldMangleDeclName(&kernel)) return kernel.getNameAsString();
  std::string text;
  llvm::raw_string_ostream out(text);
  // Mangles the kernel itself, not Clang's host stub for it.
  mangler->mangleName(clang::GlobalDecl(&kernel, clang::KernelReferenceKind::Kernel), out);
  return text;
}

std::string explicit_instantiation(const clang::FunctionDecl &kernel, const clang::ASTContext &context) {
  if (!kernel.getTemplateSpecializationArgs()) return "";
  std::string text = fmt::format("template __global__ void {}({});", instantiation_of(kernel, context),
                                 parameter_types(kernel, context));
  auto spaces = namespaces_of(kernel);
  for (auto space = spaces.rbegin(); space != spaces.rend(); ++space)
    text = "namespace " + *space + (space->empty() ? "{ " : " { ") + text + " }";
  return text;
}

std::string folder_safe(const std::string &name) {
  std::string safe;
  for (const char c : name) {
    if (directive::is_name_part(c) || c == '-')
      safe += c;
    else if (c == '*')
      safe += "ptr";
    else if (!safe.empty() && safe.back() != '.')
      safe += '.';
  }
  while (safe.ends_with('.')) safe.pop_back();
  return safe;
}

}  // namespace cupilot::extract
