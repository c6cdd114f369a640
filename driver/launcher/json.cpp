// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/json.h"

#include <algorithm>
#include <cstdint>

namespace cupilot::launcher {

/// Recursive descent; `at_` is where the next character stands, the first problem stops everything.
class JsonParser {
public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  Result<Json> document() {
    Json json;
    const bool read = value(json, 0);
    blanks();
    if (!read || at_ != text_.size()) {
      const auto line = 1 + std::ranges::count(text_.substr(0, at_), '\n');
      return fail("not valid JSON at line " + std::to_string(line));
    }
    return json;
  }

private:
  static constexpr int kDeepest = 64;

  void blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").contains(text_[at_])) ++at_;
  }
  bool take(char c) {
    blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }

  bool value(Json &json, int depth) {
    blanks();
    if (at_ == text_.size() || depth == kDeepest) return false;
    switch (text_[at_]) {
      case '{':
        return object(json, depth);
      case '[':
        return array(json, depth);
      case '"':
        json.kind_ = Json::Kind::string;
        return string(json.text_);
      case 'n':
        return word("null");
      case 't':
        json.kind_ = Json::Kind::boolean;
        json.truth_ = true;
        return word("true");
      case 'f':
        json.kind_ = Json::Kind::boolean;
        return word("false");
      default:
        return number(json);
    }
  }

  bool object(Json &json, int depth) {
    json.kind_ = Json::Kind::object;
    ++at_;
    if (take('}')) return true;
    do {
      auto &member = json.members_.emplace_back();
      blanks();
      if (!string(member.first) || !take(':') || !value(member.second, depth + 1)) return false;
    } while (take(','));
    return take('}');
  }

  bool array(Json &json, int depth) {
    json.kind_ = Json::Kind::array;
    ++at_;
    if (take(']')) return true;
    do {
      if (!value(json.elements_.emplace_back(), depth + 1)) return false;
    } while (take(','));
    return take(']');
  }

  bool number(Json &json) {
    const auto begin = at_;
    while (at_ < text_.size() && std::string_view("+-.0123456789eE").contains(text_[at_])) ++at_;
    json.kind_ = Json::Kind::number;
    json.text_ = text_.substr(begin, at_ - begin);
    return at_ != begin;
  }

  bool string(std::string &out) {
    if (at_ == text_.size() || text_[at_] != '"') return false;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] != '\\') {
        out += text_[at_];
        continue;
      }
      if (++at_ == text_.size() || !escape(out)) return false;
    }
    return at_ < text_.size() && ++at_;
  }

  bool escape(std::string &out) {
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    if (const auto i = kNames.find(text_[at_]); i != std::string_view::npos) {
      out += kMeanings[i];
      return true;
    }
    if (text_[at_] != 'u') return false;
    std::uint32_t code = 0;
    if (!hex(at_ + 1, code)) return false;
    at_ += 4;
    if (code >= 0xd800 && code < 0xdc00) {  // first half of a pair
      std::uint32_t low = 0;
      if (text_.substr(at_ + 1, 2) != "\\u" || !hex(at_ + 3, low) || low < 0xdc00 || low > 0xdfff)
        return false;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      at_ += 6;
    }
    append_utf8(out, code);
    return true;
  }

  bool hex(std::size_t from, std::uint32_t &code) const {
    if (from + 4 > text_.size()) return false;
    for (const char c : text_.substr(from, 4)) {
      const auto digit =
          std::string_view("0123456789abcdef").find(static_cast<char>(c | ('A' <= c && c <= 'F' ? 32 : 0)));
      if (digit == std::string_view::npos) return false;
      code = code * 16 + static_cast<std::uint32_t>(digit);
    }
    return true;
  }

  static void append_utf8(std::string &out, std::uint32_t code) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xc0 | (code >> 6));
      tail(0);
    } else if (code < 0x10000) {
      out += static_cast<char>(0xe0 | (code >> 12));
      tail(6), tail(0);
    } else {
      out += static_cast<char>(0xf0 | (code >> 18));
      tail(12), tail(6), tail(0);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Result<Json> Json::parse(std::string_view text) {
  return JsonParser(text).document();
}

const Json &Json::operator[](std::string_view name) const {
  static const Json null;
  for (const auto &[key, value] : members_)
    if (key == name) return value;
  return null;
}

}  // namespace cupilot::launcher
