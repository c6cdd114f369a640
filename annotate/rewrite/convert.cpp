// SPDX-License-Identifier: Apache-2.0
//
// Converts Clang's AST to the plain tree. Implicit casts, parentheses, temporaries and trivial copies are
// dropped, and `threadIdx.x` becomes a builtin. Called functions of the slice are converted too, because
// their effects matter.

#include "annotate/rewrite/convert.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <fmt/format.h>

#include "annotate/rewrite/slice_unit.h"

namespace cupilot::rewrite {
namespace {

using namespace clang;

bool is_coordinate(llvm::StringRef name) {
  return name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim";
}

bool may_write_through(QualType parameter) {
  return parameter->isLValueReferenceType() && !parameter.getNonReferenceType().isConstQualified();
}

/// Converts `*(p + i)`, which has the same effect as `p[i]`.
void dereference_to_subscript(Node &node) {
  if (node.text != "*" || node.children[0].kind != Kind::binary) return;
  Node &sum = node.children[0];
  if (sum.text != "+" || sum.overloaded || sum.children[0].type.kind != Type::Kind::pointer) return;
  node.kind = Kind::subscript;
  node.text.clear();
  std::vector<Node> parts = std::move(sum.children);
  node.children = std::move(parts);
}

/// Converts `__ldg(&p[i])`, which reads the same as `p[i]`.
void cached_load_to_subscript(Node &node) {
  const bool load =
      node.text == "__ldg" || node.text == "__ldcs" || node.text == "__ldcg" || node.text == "__ldca";
  if (!load || node.children.size() != 1) return;
  const Node &argument = node.children[0];
  if (argument.kind != Kind::unary || argument.text != "&" || argument.children[0].kind != Kind::subscript)
    return;
  node.kind = Kind::subscript;
  node.text.clear();
  std::vector<Node> parts = argument.children[0].children;
  node.children = std::move(parts);
}

/// Passing an argument by reference counts as taking its address.
Node address_of(Node argument) {
  Node node = argument;
  node.kind = Kind::unary;
  node.text = "&";
  node.children.clear();
  node.children.push_back(std::move(argument));
  return node;
}

/// Whether a declaration gives something another name, or tests something at compile time.
bool only_names(const Decl *declaration) {
  return llvm::isa<TypedefNameDecl, NamespaceAliasDecl, UsingDecl, UsingDirectiveDecl, StaticAssertDecl>(
      declaration);
}

/// Whether a type's name is one of a function's own, which a variant does not know.
bool is_named_in_function(QualType type) {
  const auto *name = type->getAs<TypedefType>();
  return name && name->getDecl()->getDeclContext()->isFunctionOrMethod();
}

class Converter {
public:
  Converter(const FunctionDecl &function, const std::string &source)
      : context_(function.getASTContext()),
        places_(context_.getSourceManager()),
        slice_begin_(slice_begin(places_)),
        policy_(context_.getLangOpts()) {
    kernel_.source = source;
    policy_.SuppressTagKeyword = true;
    policy_.Bool = true;
  }
  Result<Kernel> run(const FunctionDecl &function);

private:
  Type type_of(QualType type) const;
  void describe_value(QualType type, Type &out) const;
  void describe_element(QualType element, Type &out) const;
  void describe_fields(QualType record, Type &out) const;
  std::string spelled(QualType type) const {
    if (is_named_in_function(type)) type = type.getCanonicalType();
    return type.getUnqualifiedType().getAsString(policy_);
  }
  Storage storage_of(const VarDecl &variable) const;
  int variable_index(const ValueDecl &declared);
  std::string floating_constant(const VarDecl &declared) const;
  int function_index(const FunctionDecl *callee);
  void add_aliases(const FunctionDecl &function);

  /// Functions of toolkit headers and of the extractor's shim are known by their names; those of the slice
  /// have bodies.
  bool in_slice(SourceLocation location) const {
    return places_.getFileID(places_.getExpansionLoc(location)) == places_.getMainFileID();
  }
  void place(SourceRange range, Node &node) const;
  Node convert(const Stmt *statement);
  void convert_statement(const Stmt *statement, Node &node);
  void convert_expression(const Expr *expression, Node &node);
  void convert_operator(const Expr *expression, Node &node);
  void convert_call(const CallExpr *call, Node &node);
  void convert_operator_call(const CXXOperatorCallExpr *call, Node &node);
  Node declare(const Decl *declaration);
  void children(Node &node, std::initializer_list<const Stmt *> parts) {
    for (const Stmt *part : parts) node.children.push_back(convert(part));
  }

  Kernel kernel_;
  ASTContext &context_;
  const SourceManager &places_;
  const std::size_t slice_begin_;
  PrintingPolicy policy_;
  std::map<const Decl *, int> variables_;
  std::map<const Decl *, int> functions_;
  int unread_line_ = 0;
};

/// Whether Clang knows a size: not of what does not parse ("<builtin fn type>"), nor of templates.
bool has_size(QualType type) {
  return !type->isIncompleteType() && !type->isDependentType() && !type->isFunctionType() &&
         !type->isPlaceholderType();
}

void Converter::describe_value(QualType type, Type &out) const {
  if (type->isBooleanType())
    out.kind = Type::Kind::boolean;
  else if (type->isIntegralOrEnumerationType())
    out.kind = Type::Kind::integer;
  else if (type->isRealFloatingType())
    out.kind = Type::Kind::floating;
  else if (type->isRecordType())
    out.kind = Type::Kind::record;
  out.is_unsigned = type->isUnsignedIntegerOrEnumerationType();
  if (has_size(type)) out.bits = static_cast<int>(context_.getTypeSize(type));
}

void Converter::describe_element(QualType element, Type &out) const {
  out.element = spelled(element.getCanonicalType());
  out.element_const = element.isConstQualified();
  out.element_volatile = element.isVolatileQualified();
  if (!has_size(element)) return;
  out.element_bits = static_cast<int>(context_.getTypeSize(element));
  out.element_trivial = element.isTriviallyCopyableType(context_);
  out.element_scalar = element->isArithmeticType();
}

Type Converter::type_of(QualType type) const {
  Type out;
  if (type.isNull()) return out;
  out.is_reference = type->isReferenceType();
  type = type.getNonReferenceType();
  out.text = spelled(type);
  out.is_const = type.isConstQualified();
  out.is_volatile = type.isVolatileQualified();
  out.is_restrict = type.isRestrictQualified();
  const QualType plain = type.getCanonicalType();
  if (plain->isPointerType()) {
    out.kind = Type::Kind::pointer;
    out.bits = 64;
    describe_element(plain->getPointeeType(), out);
    return out;
  }
  if (plain->isArrayType()) {
    out.kind = Type::Kind::array;
    QualType element = plain;
    while (const ArrayType *array = context_.getAsArrayType(element)) {
      const auto *fixed = llvm::dyn_cast<ConstantArrayType>(array);
      out.extents.push_back(fixed ? static_cast<std::int64_t>(fixed->getSize().getZExtValue()) : 0);
      element = array->getElementType();
    }
    describe_element(element, out);
    return out;
  }
  describe_value(plain, out);
  if (out.kind == Type::Kind::record) describe_fields(plain, out);
  return out;
}

void Converter::describe_fields(QualType record, Type &out) const {
  constexpr std::size_t kMost = 16;
  const auto *definition = record->getAsCXXRecordDecl();
  if (definition) definition = definition->getDefinition();
  // CUDA's own pairs: of numbers that are classes, with constructors that do no more than copy.
  const bool pair =
      definition && (definition->getName() == "__half2" || definition->getName() == "__nv_bfloat162");
  if (!definition || definition->isUnion() || definition->getNumBases() > 0 || !has_size(record) ||
      (!pair && !record.isTriviallyCopyableType(context_)))
    return;
  for (const FieldDecl *field : definition->fields()) {
    const bool number = (pair || field->getType()->isArithmeticType()) && !field->isBitField() &&
                        field->getAccess() == AS_public;
    if (!number || out.fields.size() == kMost) return out.fields.clear();
    out.fields.push_back({field->getNameAsString(), type_of(field->getType())});
  }
}

Storage Converter::storage_of(const VarDecl &variable) const {
  if (variable.hasAttr<CUDASharedAttr>())
    return variable.hasExternalStorage() ? Storage::dynamic_shared : Storage::shared;
  if (llvm::isa<ParmVarDecl>(variable)) return Storage::parameter;
  return variable.hasGlobalStorage() ? Storage::global : Storage::local;
}

/// "1.85f" for `const float omega = 1.85f;`; "" for what is no such constant.
std::string Converter::floating_constant(const VarDecl &declared) const {
  const QualType type = declared.getType();
  const bool constant = type.isConstQualified() && !type.isVolatileQualified() && declared.hasInit() &&
                        !declared.getInit()->isValueDependent() &&
                        (context_.hasSameUnqualifiedType(type, context_.FloatTy) ||
                         context_.hasSameUnqualifiedType(type, context_.DoubleTy));
  Expr::EvalResult result;
  if (!constant || !declared.getInit()->EvaluateAsRValue(result, context_) || !result.Val.isFloat() ||
      !result.Val.getFloat().isFinite())
    return "";
  const bool single = context_.hasSameUnqualifiedType(type, context_.FloatTy);
  const double value = result.Val.getFloat().convertToDouble();
  std::string text = single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return single ? text + "f" : text;
}

int Converter::variable_index(const ValueDecl &declared) {
  const auto [found, fresh] = variables_.try_emplace(declared.getCanonicalDecl(), kernel_.variables.size());
  if (fresh) {
    Variable variable;
    variable.name = declared.getNameAsString();
    variable.type = type_of(declared.getType());
    variable.storage = Storage::global;
    if (const auto *plain = llvm::dyn_cast<VarDecl>(&declared)) {
      variable.storage = storage_of(*plain);
      if (variable.storage == Storage::global) variable.number = floating_constant(*plain);
    }
    kernel_.variables.push_back(std::move(variable));
  }
  return found->second;
}

int Converter::function_index(const FunctionDecl *callee) {
  const FunctionDecl *definition = nullptr;
  if (!callee || !callee->hasBody(definition) || !in_slice(definition->getLocation())) return -1;
  const auto [found, fresh] = functions_.try_emplace(definition, kernel_.functions.size());
  if (fresh) {
    const auto index = kernel_.functions.size();
    kernel_.functions.push_back({definition->getNameAsString(), {}});
    Node body = convert(definition->getBody());
    kernel_.functions[index].body = std::move(body);
    for (const ParmVarDecl *parameter : definition->parameters()) {
      const int variable = variable_index(*parameter);
      kernel_.functions[index].parameters.push_back(variable);
    }
  }
  return found->second;
}

void Converter::place(SourceRange range, Node &node) const {
  if (range.isInvalid()) {
    node.exact = false;
    return;
  }
  const auto characters =
      Lexer::makeFileCharRange(CharSourceRange::getTokenRange(range), places_, context_.getLangOpts());
  node.exact = characters.isValid() && places_.getFileID(characters.getBegin()) == places_.getMainFileID();
  const SourceLocation begin = node.exact ? characters.getBegin() : places_.getExpansionLoc(range.getBegin());
  const SourceLocation end =
      node.exact ? characters.getEnd() : places_.getExpansionRange(range.getEnd()).getEnd();
  node.begin = places_.getFileOffset(begin) - slice_begin_;
  node.end = places_.getFileOffset(end) - slice_begin_;
  if (!node.exact) node.end += Lexer::MeasureTokenLength(end, places_, context_.getLangOpts());
  const PresumedLoc line = places_.getPresumedLoc(begin);
  node.line = line.isValid() ? static_cast<int>(line.getLine()) : 0;
}

Node Converter::declare(const Decl *declaration) {
  Node node;
  const auto *variable = llvm::dyn_cast<VarDecl>(declaration);
  if (!variable) {
    node.kind = Kind::other_statement;
    place(declaration->getSourceRange(), node);
    return node;
  }
  node.kind = Kind::declare;
  place(variable->getSourceRange(), node);
  node.variable = variable_index(*variable);
  node.text = variable->getNameAsString();
  kernel_.variables[node.variable].in_kernel = true;
  node.type = kernel_.variables[node.variable].type;
  const Expr *initializer = variable->getInit();
  const auto *construct = llvm::dyn_cast_or_null<CXXConstructExpr>(initializer);
  const bool silent =
      construct && construct->getNumArgs() == 0 && !construct->getParenOrBraceRange().isValid();
  if (initializer && !silent) node.children.push_back(convert(initializer));
  return node;
}

Node Converter::convert(const Stmt *statement) {
  Node node;
  if (!statement) return node;
  if (const auto *expression = llvm::dyn_cast<Expr>(statement)) {
    convert_expression(expression, node);
  } else {
    place(statement->getSourceRange(), node);
    convert_statement(statement, node);
  }
  return node;
}

void Converter::convert_statement(const Stmt *statement, Node &node) {
  if (const auto *block = llvm::dyn_cast<CompoundStmt>(statement)) {
    node.kind = Kind::compound;
    for (const Stmt *part : block->body()) node.children.push_back(convert(part));
  } else if (const auto *declarations = llvm::dyn_cast<DeclStmt>(statement)) {
    node.kind = Kind::declaration;
    for (const Decl *one : declarations->decls())
      if (!only_names(one)) node.children.push_back(declare(one));
  } else if (const auto *branch = llvm::dyn_cast<IfStmt>(statement)) {
    node.kind = branch->getInit() || branch->getConditionVariable() ? Kind::other_statement : Kind::if_;
    children(node, {branch->getCond(), branch->getThen(), branch->getElse()});
  } else if (const auto *loop = llvm::dyn_cast<ForStmt>(statement)) {
    node.kind = Kind::for_;
    children(node, {loop->getInit(), loop->getCond(), loop->getInc(), loop->getBody()});
  } else if (const auto *while_loop = llvm::dyn_cast<WhileStmt>(statement)) {
    node.kind = Kind::while_;
    children(node, {while_loop->getCond(), while_loop->getBody()});
  } else if (const auto *do_loop = llvm::dyn_cast<DoStmt>(statement)) {
    node.kind = Kind::do_;
    children(node, {do_loop->getBody(), do_loop->getCond()});
  } else if (const auto *back = llvm::dyn_cast<ReturnStmt>(statement)) {
    node.kind = Kind::return_;
    if (back->getRetValue()) children(node, {back->getRetValue()});
  } else if (const auto *attributed = llvm::dyn_cast<AttributedStmt>(statement)) {
    const std::size_t begin = node.begin;
    node = convert(attributed->getSubStmt());
    node.begin = std::min(begin, node.begin);
  } else if (llvm::isa<BreakStmt>(statement)) {
    node.kind = Kind::break_;
  } else if (llvm::isa<ContinueStmt>(statement)) {
    node.kind = Kind::continue_;
  } else if (llvm::isa<NullStmt>(statement)) {
    node.kind = Kind::empty;
  } else {
    node.kind = llvm::isa<SwitchStmt>(statement) ? Kind::switch_ : Kind::other_statement;
    if (llvm::isa<CaseStmt>(statement)) node.text = "case";
    if (llvm::isa<DefaultStmt>(statement)) node.text = "default";
    for (const Stmt *part : statement->children())
      if (part) node.children.push_back(convert(part));
  }
}

void Converter::convert_expression(const Expr *expression, Node &node) {
  const Expr *inner = expression->IgnoreUnlessSpelledInSource();
  if (const auto *defaulted = llvm::dyn_cast<CXXDefaultArgExpr>(inner)) inner = defaulted->getExpr();
  if (inner->containsErrors() && !unread_line_)
    unread_line_ =
        static_cast<int>(places_.getPresumedLineNumber(places_.getExpansionLoc(inner->getBeginLoc())));
  place(inner->getSourceRange(), node);
  node.kind = Kind::other_expression;
  node.type = type_of(inner->getType());
  if (!inner->isValueDependent() && inner->getType()->isIntegralOrEnumerationType()) {
    Expr::EvalResult result;
    if (inner->EvaluateAsInt(result, context_) && result.Val.getInt().isRepresentableByInt64())
      node.value = result.Val.getInt().getExtValue();
  }
  convert_operator(inner, node);
}

void Converter::convert_operator(const Expr *expression, Node &node) {
  if (const auto *name = llvm::dyn_cast<DeclRefExpr>(expression)) {
    node.kind = Kind::name;
    node.text = name->getNameInfo().getAsString();
    node.variable = variable_index(*name->getDecl());
  } else if (const auto *property = llvm::dyn_cast<PseudoObjectExpr>(expression)) {
    const auto *syntax = llvm::dyn_cast<MSPropertyRefExpr>(property->getSyntacticForm());
    const Expr *base = syntax ? syntax->getBaseExpr() : nullptr;
    if (const auto *opaque = llvm::dyn_cast_or_null<OpaqueValueExpr>(base)) base = opaque->getSourceExpr();
    const auto *object = base ? llvm::dyn_cast<DeclRefExpr>(base->IgnoreParenImpCasts()) : nullptr;
    if (object && is_coordinate(object->getDecl()->getName())) {
      node.kind = Kind::builtin;
      node.text = object->getDecl()->getName().str() + "." + syntax->getPropertyDecl()->getName().str();
    }
  } else if (const auto *subscript = llvm::dyn_cast<ArraySubscriptExpr>(expression)) {
    node.kind = Kind::subscript;
    children(node, {subscript->getBase(), subscript->getIdx()});
  } else if (const auto *operation = llvm::dyn_cast<BinaryOperator>(expression)) {
    node.kind = operation->isAssignmentOp() ? Kind::assign : Kind::binary;
    node.text = operation->getOpcodeStr().str();
    children(node, {operation->getLHS(), operation->getRHS()});
  } else if (const auto *unary = llvm::dyn_cast<UnaryOperator>(expression)) {
    node.kind = Kind::unary;
    node.text = UnaryOperator::getOpcodeStr(unary->getOpcode()).str();
    node.postfix = unary->isPostfix();
    children(node, {unary->getSubExpr()});
    dereference_to_subscript(node);
  } else if (const auto *choice = llvm::dyn_cast<ConditionalOperator>(expression)) {
    node.kind = Kind::conditional;
    children(node, {choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr()});
  } else if (const auto *member = llvm::dyn_cast<MemberExpr>(expression)) {
    node.kind = Kind::member;
    node.text = member->getMemberDecl()->getNameAsString();
    node.overloaded = member->isArrow();
    children(node, {member->getBase()});
  } else if (const auto *call = llvm::dyn_cast<CallExpr>(expression)) {
    convert_call(call, node);
  } else if (const auto *cast = llvm::dyn_cast<ExplicitCastExpr>(expression)) {
    node.kind = Kind::cast;
    children(node, {cast->getSubExpr()});
  } else if (const auto *lambda = llvm::dyn_cast<LambdaExpr>(expression)) {
    node.kind = Kind::lambda;
    for (const LambdaCapture &capture : lambda->captures())
      if (!capture.capturesVariable() ||
          (capture.getCaptureKind() != LCK_ByRef && !capture.getCapturedVar()->getType().isConstQualified()))
        node.text = kTakesCopies;
  } else if (llvm::isa<CXXNullPtrLiteralExpr, GNUNullExpr>(expression)) {
    node.kind = Kind::literal;
    node.value = 0;
  } else if (llvm::isa<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr, CharacterLiteral>(expression)) {
    node.kind = llvm::isa<IntegerLiteral>(expression) ? Kind::integer : Kind::literal;
    Token token;
    if (!Lexer::getRawToken(places_.getSpellingLoc(expression->getExprLoc()), token, places_,
                            context_.getLangOpts()))
      node.text = Lexer::getSpelling(token, places_, context_.getLangOpts());
  } else {
    node.kind = llvm::isa<InitListExpr>(expression) ? Kind::list : Kind::other_expression;
    if (llvm::isa<CXXConstructExpr>(expression)) node.text = "construct";
    for (const Stmt *part : expression->children())
      if (part) node.children.push_back(convert(part));
  }
}

void Converter::convert_call(const CallExpr *call, Node &node) {
  if (const auto *as_operator = llvm::dyn_cast<CXXOperatorCallExpr>(call))
    return convert_operator_call(as_operator, node);
  node.kind = Kind::call;
  const FunctionDecl *callee = call->getDirectCallee();
  node.text = callee ? callee->getNameAsString() : std::string();
  node.function = function_index(callee);
  // A callee that the slice only declares is as unknown as a pointer to a function.
  if (callee && node.function < 0 && !callee->getBuiltinID() && in_slice(callee->getLocation()) &&
      !callee->isImplicit())
    node.text = "";
  if (const auto *method = llvm::dyn_cast<CXXMemberCallExpr>(call))
    children(node, {method->getImplicitObjectArgument()});
  // `object.f()` of a static member: the object says which.
  const auto *member = llvm::dyn_cast<MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
  const auto *function = llvm::dyn_cast_or_null<CXXMethodDecl>(callee);
  if (member && function && function->isStatic() && node.function < 0) children(node, {member->getBase()});
  for (unsigned i = 0; i < call->getNumArgs(); ++i) {
    if (llvm::isa<CXXDefaultArgExpr>(call->getArg(i))) continue;
    node.children.push_back(convert(call->getArg(i)));
    if (callee && i < callee->getNumParams() && may_write_through(callee->getParamDecl(i)->getType()))
      node.children.back() = address_of(std::move(node.children.back()));
  }
  if (callee && node.function < 0) cached_load_to_subscript(node);
}

void Converter::convert_operator_call(const CXXOperatorCallExpr *call, Node &node) {
  const OverloadedOperatorKind kind = call->getOperator();
  node.text = getOperatorSpelling(kind);
  node.overloaded = true;
  node.function = function_index(call->getDirectCallee());
  if (kind == OO_Subscript || kind == OO_Call)
    node.kind = Kind::other_expression;
  else if (call->isAssignmentOp())
    node.kind = Kind::assign;
  else
    node.kind = call->getNumArgs() == 2 ? Kind::binary : Kind::unary;
  if ((kind == OO_PlusPlus || kind == OO_MinusMinus)) node.kind = Kind::unary;
  const bool postfix = kind == OO_PlusPlus || kind == OO_MinusMinus;
  for (const Expr *argument : call->arguments()) {
    node.children.push_back(convert(argument));
    if (postfix) break;
  }
}

void Converter::add_aliases(const FunctionDecl &function) {
  const FunctionTemplateDecl *pattern = function.getPrimaryTemplate();
  const TemplateArgumentList *arguments = function.getTemplateSpecializationArgs();
  if (!pattern || !arguments) return;
  for (unsigned i = 0; i < arguments->size(); ++i) {
    const NamedDecl *parameter = pattern->getTemplateParameters()->getParam(i);
    const std::string name = parameter->getNameAsString();
    const TemplateArgument &argument = arguments->get(i);
    if (name.empty()) continue;
    if (argument.getKind() == TemplateArgument::Type) {
      kernel_.aliases.push_back(
          fmt::format("using {} = {};", name, argument.getAsType().getCanonicalType().getAsString(policy_)));
    } else if (argument.getKind() == TemplateArgument::Integral) {
      const std::string type = argument.getIntegralType().getCanonicalType().getAsString(policy_);
      kernel_.aliases.push_back(fmt::format("constexpr {} {} = static_cast<{}>({});", type, name, type,
                                            llvm::toString(argument.getAsIntegral(), 10)));
    } else if (!unread_line_) {
      unread_line_ = static_cast<int>(places_.getPresumedLineNumber(function.getLocation()));
    }
  }
}

Result<Kernel> Converter::run(const FunctionDecl &function) {
  kernel_.name = function.getNameAsString();
  Node whole;
  place(function.getSourceRange(), whole);
  kernel_.begin = whole.begin;
  kernel_.end = whole.end;
  kernel_.line = whole.line;
  for (const ParmVarDecl *parameter : function.parameters())
    kernel_.parameters.push_back(variable_index(*parameter));
  kernel_.body = convert(function.getBody());
  add_aliases(function);
  if (unread_line_)
    return fail(fmt::format("line {} of the kernel contains code that Clang cannot parse", unread_line_));
  if (!kernel_.body.exact) return fail("the kernel's body comes from a macro");
  return std::move(kernel_);
}

}  // namespace

Result<Kernel> convert_kernel(const FunctionDecl &function, const std::string &source) {
  return Converter(function, source).run(function);
}

}  // namespace cupilot::rewrite
