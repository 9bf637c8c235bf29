# SPDX-License-Identifier: Apache-2.0
"""The lint of module boundaries finds what it is there to find."""
import subprocess
import unittest

from harness import SOURCE, Cli

HEAD = "/* SPDX-License-Identifier: Apache-2.0 */\n"
CHECK = str(SOURCE / "cmake" / "lint" / "boundaries.sh")


class Boundaries(Cli):
    def check(self, files):
        for name, content in files.items():
            self.write(f"tree/{name}", content)
        tree = self.dir / "tree"
        for command in (["git", "init", "-q"], ["git", "add", "-A"]):
            subprocess.run(command, cwd=tree, check=True)
        return subprocess.run([CHECK, str(tree)], capture_output=True, text=True, check=False)

    def test_a_tree_that_keeps_them_passes(self):
        run = self.check({
            "isa/a.h": HEAD + '#include "isa/b.h"\n#include <stdint.h>\n',
            "judge/json.c": HEAD + '#include "isa/a.h"\nvoid f(void) { cJSON_ParseWithOpts(); }\n',
            "models/m.cpp": HEAD + '#include "models/m.h"\n#include <systemc>\n',
            "platform/p.cpp": HEAD + '#include "judge/j.h"\n#include "models/m.h"\n',
            "platform/hw/r.h": HEAD + '#include <stdint.h>\n',
            "data.json": "{}\n",
        })
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_each_kind_of_breach_is_named(self):
        table = [
            ("isa/a.c", HEAD + '#include "judge/x.h"\n', "isa/ may include only isa"),
            ("isa/a.c", HEAD + '#include "platform/hw/x.h"\n', "isa/ may include only isa"),
            ("judge/a.c", HEAD + '#include "models/x.h"\n', "judge/ may include only"),
            ("models/a.cpp", HEAD + '#include "platform/bus/x.h"\n', "models/ may include only"),
            ("models/a.cpp", HEAD + '#include "judge/x.h"\n', "models/ may include only"),
            ("firmware/a.c", HEAD + '#include "judge/x.h"\n', "firmware/ may include only"),
            ("platform/hw/a.h", HEAD + '#include "platform/bus/x.h"\n', "platform/hw"),
            ("isa/a.c", HEAD + "#include <systemc>\n", "SystemC stays out"),
            ("judge/a.c", HEAD + "#include <tlm.h>\n", "SystemC stays out"),
            ("models/core/a.cpp", HEAD + "#include <systemc.h>\n", "SystemC stays out"),
            ("judge/b.c", HEAD + "int f(void) { return cJSON_Parse(0) != 0; }\n", "JSON parser"),
            ("platform/b.c", HEAD + "void f(void) { cJSON_ParseWithLength(0, 1); }\n",
             "JSON parser"),
            ("isa/a.c", "int x;\n", "SPDX-License-Identifier"),
            ("README.md", "# Title\n", "SPDX-License-Identifier"),
        ]
        for name, content, says in table:
            self.setUp()
            run = self.check({name: content})
            self.assertEqual(run.returncode, 1, name)
            self.assertIn(f"{name}", run.stderr)
            self.assertIn(says, run.stderr)


if __name__ == "__main__":
    unittest.main()
