// SPDX-License-Identifier: Apache-2.0
//
// Attacks on a user's build through everything that cupilot-cc reads, writes and starts. Whatever happens,
// the build ends soon and well, with the plain object or the swapped one. The compiler is a script, so that
// only the launcher is tested and the whole table takes seconds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <functional>
#include <map>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/process.h"
#include "annotate/support/text.h"

namespace cupilot::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// A sanitizer reserves terabytes of addresses and reports crashes itself.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

enum class Object { swapped, plain };

/// Says what it compiles in `log`, and makes a ready object of that kind. FAKE_SWAPPED is what it does
/// instead when it compiles the wrapper.
constexpr const char *kCompiler = R"sh(#!/bin/sh
src= obj= dep=
while [ $# -gt 0 ]; do
  case $1 in
    -o) obj=$2; shift;;
    -MF) dep=$2; shift;;
    -optf) shift;;
    -*) ;;
    *) src=$1;;
  esac
  shift
done
kind=plain
case $src in */cache/*) kind=swapped;; esac
echo $kind >>log
[ -z "$dep" ] || echo "x.o: $src" >"$dep"
if [ $kind = swapped ] && [ -n "$FAKE_SWAPPED" ]; then
  eval "$FAKE_SWAPPED"
  exit
fi
[ -d "$(dirname "$obj")" ] && cat $kind.o >"$obj"
)sh";

constexpr const char *kDispatcher =
    "int cudaLaunchKernel(void), cudaLaunchKernelExC(void);\n"
    "__attribute__((used)) static int cupilot_launch_function(void) { return cudaLaunchKernel() + 1; }\n"
    "__attribute__((used)) static int cupilot_launch_extended(void) { return cudaLaunchKernelExC() + 1; }\n";

std::string object_of(const fs::path &folder, const std::string &name, const std::string &source) {
  EXPECT_TRUE(write_file_atomic(folder / "made.c", source));
  ProcessRequest request;
  request.argv = {"cc", "-O1", "-fno-inline", "-c", "made.c", "-o", name};
  request.folder = folder;
  EXPECT_TRUE(run_process(request).value().ok());
  return read_file(folder / name).value();
}

const std::string &made_object(const std::string &source) {
  static std::map<std::string, std::string> known;
  if (const auto at = known.find(source); at != known.end()) return at->second;
  const auto folder = TemporaryFolder::create("cupilot-attack").value();
  return known[source] = object_of(folder.path(), "made.o", source);
}

/// A project of one source with one record that fits, before the attack.
class Ground {
public:
  Ground() {
    write("nvcc", kCompiler);
    fs::permissions(root() / "nvcc", fs::perms::owner_all);
    write("plain.o", made_object("int plain;\n"));
    write("swapped.o", made_object(kDispatcher));
    write("x.cu", "#pragma cupilot optimize\n__global__ void k(int n);\n");
    variant("bool launch(const cupilot::Launch &l, int n) { return true; }\n");
  }

  fs::path root() const { return folder_.path(); }
  std::string path(const std::string &name) const { return (root() / name).string(); }
  void write(const std::string &name, const std::string &content) const {
    ASSERT_TRUE(write_file_atomic(root() / name, content));
  }
  void script(const std::string &name, const std::string &body) const {
    write(name, "#!/bin/sh\n" + body + "\n");
    fs::permissions(root() / name, fs::perms::owner_all);
  }
  void source(const std::string &text) {
    write("x.cu", "#pragma cupilot optimize\n__global__ void k(int n);\n" + text);
    land();
  }
  void variant(const std::string &text) {
    write(kVariant, text);
    variant_hash_ = sha256(text);
    land();
  }
  /// Writes the record again: with the source's hash, and with `from` in its text replaced by `to`.
  void land(const std::string &from = "", const std::string &to = "") const {
    std::string text =
        R"({"cupilot_record":1,"arch":"sm_90","estimate":false,"kernel":{"name":"k","instantiation":"k",)"
        R"("namespaces":[],"file":"x.cu","parameters":[{"name":"n"}]},"kernel_id":"id","fingerprints":)"
        R"([{"source":"x.cu","macros":"MACROS","files":[{"path":"x.cu","sha256":"HASH"}]}],"guard":{"domain":{},)"
        R"("launch":{"grid":["1","1","1"],"block":["1","1","1"],"shared_bytes":"0"}},"variant_sha256":"VARIANT"})";
    text = replace_all(text, "MACROS", Sha256().hex());
    text = replace_all(text, "HASH", sha256(read_file(root() / "x.cu").value()));
    text = replace_all(text, "VARIANT", variant_hash_);
    if (!from.empty()) {
      ASSERT_TRUE(text.contains(from));
      text = replace_all(text, from, to);
    }
    write(kRecord, text);
  }

  // What can stand where a file is expected.
  void clear(const std::string &name) const {
    fs::remove_all(root() / name);
    fs::create_directories((root() / name).parent_path());
  }
  void pipe(const std::string &name) const {
    clear(name);
    ASSERT_EQ(::mkfifo(path(name).c_str(), 0600), 0);
  }
  void folder(const std::string &name) const {
    clear(name);
    fs::create_directories(root() / name / "inside");
  }
  void link(const std::string &name, const std::string &to) const {
    clear(name);
    fs::create_symlink(to, root() / name);
  }
  void sparse(const std::string &name) const {
    clear(name);
    write(name, "{");
    ASSERT_EQ(::truncate(path(name).c_str(), 64LL << 30), 0);
  }
  void socket(const std::string &name) const {
    clear(name);
    const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT(path(name).size(), sizeof address.sun_path);
    path(name).copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(made, reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
    ::close(made);
  }

  ProcessResult build() const {
    ProcessRequest request;
    request.argv = {"sh",
                    "-c",
                    limits + "exec \"$@\"",
                    "sh",
                    CUPILOT_PROGRAMS "/cupilot-cc",
                    "--records",
                    path("tuned"),
                    "--cache",
                    path("cache"),
                    "--annotate",
                    path("annotate"),
                    "--",
                    path("nvcc"),
                    "-arch=sm_90",
                    "-c",
                    unit.empty() ? path("x.cu") : unit,
                    "-o",
                    object,
                    "-MD",
                    "-MF",
                    depfile};
    request.argv.insert(request.argv.end(), words.begin(), words.end());
    request.folder = root();
    request.environment = environment;
    request.time_limit = std::chrono::seconds(60);
    return run_process(request).value();
  }
  std::string log() const { return read_file(root() / "log").value_or(""); }

  static constexpr const char *kVariant = "tuned/k/sm_90/variant.cuh", *kRecord = "tuned/k/sm_90/record.json";
  std::string unit, object = "x.o", depfile = "x.d", limits;
  std::vector<std::string> words;
  std::vector<std::pair<std::string, std::string>> environment{{"CUPILOT_ANNOTATE", ""}};

private:
  TemporaryFolder folder_ = TemporaryFolder::create("cupilot-attack").value();
  std::string variant_hash_;
};

struct Attack {
  std::string name;
  Object expected;
  std::function<void(Ground &)> prepare;
};

/// Everything that is no regular file of a sensible size, at one place.
void add_files(std::vector<Attack> &all, const std::string &what, const std::string &name, Object expected) {
  const auto add = [&](const std::string &kind, auto prepare) {
    all.push_back({what + " is " + kind, expected, [=](Ground &g) { prepare(g, name); }});
  };
  add("a pipe", [](Ground &g, const std::string &n) { g.pipe(n); });
  add("a folder", [](Ground &g, const std::string &n) { g.folder(n); });
  add("a socket", [](Ground &g, const std::string &n) { g.socket(n); });
  add("an endless device", [](Ground &g, const std::string &n) { g.link(n, "/dev/zero"); });
  add("a link to itself", [](Ground &g, const std::string &n) { g.link(n, fs::path(n).filename()); });
  add("a link to nowhere", [](Ground &g, const std::string &n) { g.link(n, "/nowhere"); });
  add("64 GiB long", [](Ground &g, const std::string &n) { g.sparse(n); });
}

std::string repeated(const std::string &text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

void add_records(std::vector<Attack> &all) {
  const auto text = [&](const std::string &name, const std::string &content) {
    all.push_back({"record is " + name, Object::plain, [=](Ground &g) { g.write(g.kRecord, content); }});
  };
  text("empty", "");
  text("cut off", R"({"cupilot_record":1,"kernel":{)");
  text("nested deeply", repeated("[", 200'000));
  text("not UTF-8", "{\"cupilot_record\":1,\"arch\":\"\xff\xfe\"}");
  text("zero bytes", std::string(1000, '\0'));
  const auto member = [&](const std::string &name, const std::string &from, const std::string &to,
                          Object expected = Object::plain) {
    all.push_back({"record has " + name, expected, [=](Ground &g) { g.land(from, to); }});
  };
  member("a deep expression", R"("grid":["1")", R"("grid":[")" + repeated("(", 200'000) + "\"");
  member("a long expression", R"("grid":["1")", R"("grid":["1)" + repeated("+1", 200'000) + "\"",
         Object::swapped);
  member("a deep name", R"("instantiation":"k")", R"("instantiation":")" + repeated("k<", 200'000) + "\"");
  member("a million parameters", R"([{"name":"n"}])", "[" + repeated("0,", 1'000'000) + "0]",
         Object::swapped);
  member("a member twice", R"("estimate":false)", R"("estimate":false,"estimate":false)");
  member("an endless fingerprint", R"("path":"x.cu")", R"("path":"/dev/zero")");
  member("a folder as fingerprint", R"("path":"x.cu")", R"("path":".")");
  member("a pipe as fingerprint", R"("path":"x.cu")", R"("path":"pipe")");
  all.back().prepare = [](Ground &g) { g.pipe("pipe"), g.land(R"("path":"x.cu")", R"("path":"pipe")"); };
}

void add_folders(std::vector<Attack> &all) {
  const auto add = [&](const std::string &name, auto prepare) {
    all.push_back({name, Object::plain, prepare});
  };
  add("records are a pipe", [](Ground &g) { g.pipe("tuned"); });
  add("records are a link to themselves", [](Ground &g) { g.link("tuned", "tuned"); });
  add("records are /proc", [](Ground &g) { g.link("tuned", "/proc"); });
  add("records have a loop of links", [](Ground &g) { g.clear("tuned/k"), g.link("tuned/k", "../tuned"); });
  add("cache is a file", [](Ground &g) { g.write("cache", ""); });
  add("cache is a pipe", [](Ground &g) { g.pipe("cache"); });
  add("cache is a link to itself", [](Ground &g) { g.link("cache", "cache"); });
  add("cache cannot be written", [](Ground &g) { g.link("cache", "/proc/sys"); });
}

void add_sources(std::vector<Attack> &all) {
  const auto add = [&](const std::string &name, Object expected, auto prepare) {
    all.push_back({"source " + name, expected, prepare});
  };
  add("asks for its include level", Object::plain,
      [](Ground &g) { g.source("#if __INCLUDE_LEVEL__ == 0\nint main();\n#endif\n"); });
  add("asks for it over two lines", Object::plain,
      [](Ground &g) { g.source("int l = __INCLUDE_\\\nLEVEL__;\n"); });
  add("asks for the main file in a header", Object::plain, [](Ground &g) {
    g.write("a.h", "const char *f = __BASE_FILE__;\n");
    g.source("#include \"a.h\"\n");
  });
  add("asks by an option", Object::plain, [](Ground &g) {
    g.words = {"-DLEVEL=__INCLUDE_LEVEL__"};
    g.land(Sha256().hex(), Sha256().field("-DLEVEL=__INCLUDE_LEVEL__").hex());
  });
  add("has a #line", Object::plain, [](Ground &g) { g.source("#line 7 \"y.cu\"\n"); });
  add("has a line marker", Object::plain, [](Ground &g) { g.source("# 7 \"y.cu\"\n"); });
  add("has an #include_next", Object::plain, [](Ground &g) { g.source("#include_next <cstdio>\n"); });
  add("calls itself a system header", Object::plain,
      [](Ground &g) { g.source("#pragma GCC system_header\n"); });
  add("is relative and has its name", Object::plain, [](Ground &g) {
    g.source("const char *f = __FILE__;\n");
    g.unit = "x.cu";
  });
  add("is relative", Object::swapped, [](Ground &g) { g.unit = "x.cu"; });
  add("is absolute and has its name", Object::swapped,
      [](Ground &g) { g.source("const char *f = __FILE__;\n"); });
  add("talks about it in a comment", Object::swapped, [](Ground &g) { g.source("// __INCLUDE_LEVEL__\n"); });
  add("is behind a link and ..", Object::plain, [](Ground &g) {
    g.write("other/x.cu", "other");
    fs::create_directories(g.root() / "other/below");
    g.link("link", "other/below");
    g.unit = "link/../x.cu";
  });
  add("includes a pipe", Object::plain, [](Ground &g) { g.pipe("p.h"), g.source("#include \"p.h\"\n"); });
  add("includes 64 GiB", Object::plain, [](Ground &g) { g.sparse("p.h"), g.source("#include \"p.h\"\n"); });
  add("includes itself in a circle", Object::swapped, [](Ground &g) {
    g.write("a.h", "#include \"x.cu\"\n#include \"a.h\"\n");
    g.source("#include \"a.h\"\n");
  });
  add("is a million signs", Object::swapped,
      [](Ground &g) { g.source("/*" + std::string(1 << 20, '#') + "*/\n"); });
  add("is a pipe", Object::plain, [](Ground &g) { g.pipe("p.cu"), g.unit = "p.cu"; });
  add("has a name that is not UTF-8", Object::plain, [](Ground &g) {
    g.unit = g.path("\xff\xfe.cu");
    fs::copy_file(g.root() / "x.cu", g.unit);
    g.link("tuned", "/nowhere");
  });
}

void add_commands(std::vector<Attack> &all) {
  const auto add = [&](const std::string &name, Object expected, auto prepare) {
    all.push_back({"command " + name, expected, prepare});
  };
  add("has a pipe as response file", Object::plain,
      [](Ground &g) { g.pipe("pipe"), g.words = {"-optf", "pipe"}; });
  add("has response files that multiply", Object::plain, [](Ground &g) {
    g.write("again", repeated("-optf again ", 100));
    g.words = {"-optf", "again"};
  });
  add("writes its object to a device", Object::plain, [](Ground &g) { g.object = "/dev/null"; });
  add("writes its depfile to a device", Object::swapped, [](Ground &g) { g.depfile = "/dev/null"; });
  add("has no environment", Object::swapped,
      [](Ground &g) { g.limits = "unset HOME LANG TMPDIR USER; LC_ALL=\xff; export LC_ALL; "; });
  if (!kSanitized)
    add("has little memory", Object::swapped, [](Ground &g) { g.limits = "ulimit -v 200000; "; });
  add("has a small stack", Object::swapped, [](Ground &g) { g.limits = "ulimit -s 256; "; });
  add("has few descriptors", Object::swapped, [](Ground &g) { g.limits = "ulimit -n 12; "; });
  add("has a closed stdin and stderr", Object::swapped, [](Ground &g) { g.limits = "exec <&- 2>&-; "; });
}

/// What the compile of the wrapper does, and a variant that only the launcher can refuse.
void add_compiles(std::vector<Attack> &all) {
  const auto add = [&](const std::string &name, const std::string &does) {
    all.push_back({"swapped compile " + name, Object::plain,
                   [=](Ground &g) { g.environment.push_back({"FAKE_SWAPPED", does}); }});
  };
  add("is killed", "kill -9 $$");
  add("leaves half an object and is killed", "head -c 100 swapped.o >$obj; kill -9 $$");
  add("crashes", "kill -SEGV $$");
  add("fails", "echo 'error: no'; exit 1");
  add("makes garbage", "echo garbage >$obj");
  add("makes half an object", "head -c 300 swapped.o >$obj");
  add("makes nothing", "true");
  add("makes 2 GiB", "truncate -s 2G $obj");
  for (const std::string signal : {"ABRT", "BUS", "FPE", "HUP", "ILL", "PIPE", "TERM", "XCPU", "XFSZ"})
    add("gets SIG" + signal, "head -c 200 swapped.o >$obj; kill -" + signal + " $$");
  const auto hang = [&](const std::string &name, const std::string &does) {
    add("hangs" + name, does);
    all.back().prepare = [=](Ground &g) {
      g.environment.insert(g.environment.end(), {{"FAKE_SWAPPED", does}, {"CUPILOT_SWAP_SECONDS", "1"}});
    };
  };
  hang("", "sleep 300");
  hang(" and ignores signals", "trap '' TERM HUP INT ALRM; head -c 300 swapped.o >$obj; sleep 300");
  hang(" in a session of its own", "setsid sh -c 'sleep 300; sleep 300' & setsid sh -c 'sleep 300'; wait");
  const auto variant = [&](const std::string &name, const std::string &text) {
    all.push_back({"variant " + name, Object::plain, [=](Ground &g) { g.variant(text); }});
  };
  variant("closes our namespace", "}} int main() {} namespace { namespace {\n");
  variant("defines a C function", "extern \"C\" void exit(int) {}\n");
  variant("has assembly", "asm(\".globl main\\nmain:\");\n");
  all.push_back({"variant needs what is nowhere", Object::plain, [](Ground &g) {
                   g.write("swapped.o",
                           made_object(std::string(kDispatcher) +
                                       "void nowhere(void);\n__attribute__((used)) static void "
                                       "_ZN17cupilot_variant_06launchEv(void) { nowhere(); }\n"));
                 }});
  all.push_back({"variant needs what the source needs", Object::swapped, [](Ground &g) {
                   g.write("swapped.o", made_object(std::string(kDispatcher) +
                                                    "void theirs(void);\nvoid user(void) { theirs(); }\n"
                                                    "__attribute__((used)) static void "
                                                    "_ZN17cupilot_variant_06launchEv(void) { theirs(); }\n"));
                 }});
}

void add_annotate(std::vector<Attack> &all) {
  const auto add = [&](const std::string &name, const std::string &body) {
    all.push_back({"cupilot-annotate " + name, Object::plain, [=](Ground &g) {
                     g.script("annotate", body);
                     g.write("x.cu", read_file(g.root() / "x.cu").value() + "// changed\n");
                     g.environment = {{"CUPILOT_ANNOTATE", g.path("annotate")},
                                      {"CUPILOT_ANNOTATE_SECONDS", "1"}};
                   }});
  };
  add("hangs", "sleep 300");
  add("closes its outputs and hangs", "exec >&- 2>&-; sleep 300");
  add("leaves somebody with its outputs", "setsid sleep 20 & echo 'cupilot_identify 1'");
  add("talks without end", "yes");
  add("crashes", "kill -SEGV $$");
  add("answers nonsense", "echo 'cupilot_identify 1'; head -c 100000 /dev/urandom");
}

std::vector<Attack> attacks() {
  std::vector<Attack> all{{"no attack", Object::swapped, [](Ground &) {}}};
  add_files(all, "variant", Ground::kVariant, Object::plain);
  add_files(all, "record", Ground::kRecord, Object::plain);
  add_records(all);
  add_folders(all);
  add_sources(all);
  add_commands(all);
  add_compiles(all);
  add_annotate(all);
  return all;
}

TEST(Attacks, LeaveTheUsersBuildAsItIs) {
  const auto all = attacks();
  EXPECT_GE(all.size(), 90u);
  for (const auto &attack : all) {
    Ground ground;
    attack.prepare(ground);
    const auto built = ground.build();
    EXPECT_TRUE(built.ok()) << attack.name << ": " << built.describe() << "\n" << built.err;
    const bool device = ground.object == "/dev/null";
    const auto object =
        device ? made_object("int plain;\n") : read_file(ground.root() / "x.o").value_or("none");
    const bool swapped = object == read_file(ground.root() / "swapped.o").value();
    EXPECT_TRUE(swapped || object == made_object("int plain;\n")) << attack.name << ": it is neither object";
    EXPECT_EQ(swapped, attack.expected == Object::swapped) << attack.name << "\n" << built.err;
    EXPECT_TRUE(fs::is_character_file("/dev/null")) << attack.name;
  }
}

/// What stands in the cache of a unit is replaced where it can be, and what cannot be replaced is no reason
/// to fail.
TEST(Attacks, OnTheCacheOfAUnit) {
  const std::vector<std::pair<std::string, void (*)(Ground &, const std::string &)>> kinds = {
      {"pipe", [](Ground &g, const std::string &name) { g.pipe(name); }},
      {"folder", [](Ground &g, const std::string &name) { g.folder(name); }},
      {"socket", [](Ground &g, const std::string &name) { g.socket(name); }},
      {"device", [](Ground &g, const std::string &name) { g.link(name, "/dev/zero"); }},
      {"loop", [](Ground &g, const std::string &name) { g.link(name, fs::path(name).filename()); }},
      {"garbage", [](Ground &g, const std::string &name) { g.write(name, std::string(100, '\xff')); }}};
  for (const auto &[kind, put] : kinds)
    for (const std::string file : {"stamp", "x.cu", "epilogue.cuh", "slot0.cuh"}) {
      Ground ground;
      ASSERT_TRUE(ground.build().ok());
      const auto unit = fs::directory_iterator(ground.root() / "cache")->path().filename().string();
      put(ground, "cache/" + unit + "/" + file);
      const auto built = ground.build();
      EXPECT_TRUE(built.ok()) << kind << " " << file << built.err;
      const bool usable = kind != "folder" || file == "stamp";
      EXPECT_EQ(read_file(ground.root() / "x.o").value(),
                read_file(ground.root() / (usable ? "swapped.o" : "plain.o")).value())
          << kind << " " << file;
      const auto depfile = read_file(ground.root() / "x.d").value();
      EXPECT_EQ(depfile.contains("/stamp"), kind != "folder" || file != "stamp") << kind << " " << file;
    }
}

TEST(Attacks, AKilledCompileIsTriedAgain) {
  Ground ground;
  ground.environment.push_back({"FAKE_SWAPPED", "kill -9 $$"});
  const auto built = ground.build();
  ASSERT_TRUE(built.ok());
  EXPECT_THAT(built.err, HasSubstr("will be tried again"));
  const auto unit = fs::directory_iterator(ground.root() / "cache")->path();
  EXPECT_GE(fs::last_write_time(unit / "stamp"), fs::last_write_time(ground.root() / "x.o"))
      << "the next build must find the object out of date";
  ground.environment.pop_back();
  ASSERT_TRUE(ground.build().ok());
  EXPECT_EQ(read_file(ground.root() / "x.o").value(), read_file(ground.root() / "swapped.o").value());
  EXPECT_LE(fs::last_write_time(unit / "stamp"), fs::last_write_time(ground.root() / "x.o"));
}

/// However far a compile has come when it is killed: the build is whole, and the next one has the tuned
/// kernels.
TEST(Attacks, ACompilerMayBeKilledAtAnyByte) {
  constexpr std::size_t kPoints = 200;
  Ground ground;
  const auto plain = read_file(ground.root() / "plain.o").value(),
             swapped = read_file(ground.root() / "swapped.o").value();
  ground.environment.push_back({"FAKE_SWAPPED", ""});
  for (std::size_t point = 0; point < kPoints; ++point) {
    const auto bytes = std::to_string(swapped.size() * point / (kPoints - 1));
    ground.environment.back().second = "head -c " + bytes + " swapped.o >$obj; kill -9 $$";
    ASSERT_TRUE(ground.build().ok()) << bytes;
    ASSERT_EQ(read_file(ground.root() / "x.o").value(), plain) << bytes;
    const auto unit = fs::directory_iterator(ground.root() / "cache")->path();
    ASSERT_GE(fs::last_write_time(unit / "stamp"), fs::last_write_time(ground.root() / "x.o")) << bytes;
    if (point % 10 != 0) continue;  // the next build is the same whatever the point was
    ground.environment.back().second = "";
    ASSERT_TRUE(ground.build().ok()) << bytes;
    ASSERT_EQ(read_file(ground.root() / "x.o").value(), swapped) << bytes;
  }
}

/// nvcc with all that it has started, killed after some time, in the compile with tuned kernels alone.
TEST(Attacks, NvccMayBeKilledAtAnyMoment) {
  const auto nvcc = find_program("nvcc").value_or("/usr/local/cuda/bin/nvcc");
  if (!fs::exists(nvcc)) GTEST_SKIP() << "there is no nvcc";
  const auto has_dispatcher = [](const Ground &g) {
    return read_file(g.root() / "x.o").value_or("").contains("cupilot_launch_function");
  };
  int killed = 0;
  for (const char *seconds : {"0.01", "0.1", "0.2", "0.4", "0.7", "1.1"}) {
    Ground ground;
    ground.script("nvcc",
                  "case \"$*\" in *cache/*) [ -z \"$KILL_AFTER\" ] || {\n"
                  "setsid " +
                      nvcc.string() +
                      " \"$@\" & p=$!; sleep $KILL_AFTER; kill -s KILL -- -$p && kill -s KILL $$\n"
                      "wait $p; exit; };; esac\nexec " +
                      nvcc.string() + " \"$@\"");
    ground.source("__global__ void k(int) {}\nvoid run() { k<<<1, 1>>>(1); }\n");
    ground.variant(
        "__global__ void tuned(int) {}\n"
        "bool launch(const cupilot::Launch &l, int n) { tuned<<<1, 1, 0, l.stream>>>(n); return true; }\n");
    ground.environment.push_back({"KILL_AFTER", seconds});
    const auto first = ground.build();
    ASSERT_TRUE(first.ok()) << seconds << first.err;
    ASSERT_TRUE(fs::exists(ground.root() / "x.o"));
    killed += !has_dispatcher(ground);
    EXPECT_NE(has_dispatcher(ground), first.err.contains("will be tried again")) << seconds << first.err;
    ground.environment.pop_back();
    const auto second = ground.build();
    ASSERT_TRUE(second.ok()) << seconds << second.err;
    EXPECT_TRUE(has_dispatcher(ground)) << seconds << second.err;
  }
  EXPECT_GE(killed, 2);
}

/// What a compile that took too long had started is gone with it.
TEST(Attacks, AHangingCompileLeavesNobodyBehind) {
  Ground ground;
  ground.environment.insert(ground.environment.end(),
                            {{"FAKE_SWAPPED", "setsid sh -c 'echo $$ >hanging; exec sleep 300' & sleep 300"},
                             {"CUPILOT_SWAP_SECONDS", "1"}});
  const auto built = ground.build();
  ASSERT_TRUE(built.ok());
  EXPECT_THAT(built.err,
              HasSubstr("was ended after 1 s, the limit CUPILOT_SWAP_SECONDS: the original kernels"));
  const auto process = "/proc/" + std::string(trim(read_file(ground.root() / "hanging").value()));
  const auto status = read_file(fs::path(process) / "stat").value_or(") Z");
  EXPECT_THAT(status, testing::ContainsRegex("\\) Z")) << "it still runs";
}

/// An object that was refused must not be there when the plain compile fails.
TEST(Attacks, ARefusedObjectDoesNotStay) {
  Ground ground;
  ground.environment.push_back({"FAKE_SWAPPED", "echo garbage >$obj"});
  fs::remove(ground.root() / "plain.o");
  EXPECT_FALSE(ground.build().ok());
  EXPECT_THAT(read_file(ground.root() / "x.o").value_or(""), Not(HasSubstr("garbage")));
}

TEST(Attacks, ADamagedAnswerIsAskedForAgain) {
  Ground ground;
  ground.script("annotate", "echo asked >>asked; printf 'cupilot_identify 1\\nk\\tk\\tid\\n'");
  ground.environment = {{"CUPILOT_ANNOTATE", ground.path("annotate")}, {"CUPILOT_ANNOTATE_SECONDS", "30"}};
  ground.write("x.cu", read_file(ground.root() / "x.cu").value() + "// changed\n");
  const auto expect_asked = [&](std::size_t times) {
    ASSERT_TRUE(ground.build().ok());
    EXPECT_EQ(read_file(ground.root() / "x.o").value(), read_file(ground.root() / "swapped.o").value());
    EXPECT_EQ(split_lines(read_file(ground.root() / "asked").value()).size(), times);
  };
  expect_asked(1);
  expect_asked(1);
  fs::path kept;
  for (const auto &entry : fs::recursive_directory_iterator(ground.root() / "cache"))
    if (entry.path().filename().string().starts_with("identity-")) kept = entry.path();
  const auto answer = read_file(kept).value();
  ASSERT_TRUE(write_file_atomic(kept, answer.substr(0, answer.find('\n') + 1)));
  expect_asked(2);
  ground.pipe(fs::relative(kept, ground.root()).string());
  expect_asked(3);
}

TEST(Attacks, TheReasonIsExplained) {
  Ground ground;
  ground.source("int level = __INCLUDE_LEVEL__;\n");
  ground.environment.push_back({"CUPILOT_EXPLAIN", "1"});
  const auto built = ground.build();
  EXPECT_THAT(built.err, HasSubstr("record.json: " + ground.path("x.cu") + ":3 asks for __INCLUDE_LEVEL__"));
}

/// A defect or an endless loop of the launcher itself ends in the user's command.
TEST(Attacks, ADeadLauncherStillCompiles) {
  for (const char *signal : {"ALRM", "SEGV", "ABRT", "BUS", "FPE"}) {
    if (kSanitized && std::string_view(signal) != "ALRM") break;
    Ground ground;
    ground.script("annotate", std::string("kill -") + signal + " $PPID; sleep 1");
    ground.environment = {{"CUPILOT_ANNOTATE", ground.path("annotate")}, {"CUPILOT_ANNOTATE_SECONDS", "30"}};
    ground.write("x.cu", read_file(ground.root() / "x.cu").value() + "// changed\n");
    const auto built = ground.build();
    EXPECT_TRUE(built.ok()) << signal << built.describe();
    EXPECT_THAT(built.err, HasSubstr("the compiler runs unchanged")) << signal;
    EXPECT_EQ(read_file(ground.root() / "x.o").value(), made_object("int plain;\n")) << signal;
  }
}

}  // namespace
}  // namespace cupilot::test
