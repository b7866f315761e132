"""Java runs once inside a process, and neither hangs nor kills it; every test takes a new process."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rainbow.programs import jvm

pytestmark = [pytest.mark.usefixtures("java"), pytest.mark.xdist_group("java")]

START = """
import os, signal, sys, threading
from pathlib import Path
from rainbow.programs.jvm import attach_java

def largest():
    with attach_java() as jpype:
        return int(jpype.JClass("java.lang.Math").max(1, 2))
"""


def run(script: str, seconds: float = 60) -> subprocess.CompletedProcess[str]:
    """Run a script in a new process; a hang is an error."""
    return subprocess.run([sys.executable, "-c", START + script], capture_output=True, text=True, timeout=seconds)


def test_importing_the_modules_imports_no_jpype() -> None:
    found = run("import rainbow.metrics; rainbow.metrics.all_metrics(); print('jpype' in sys.modules)").stdout
    assert found == "False\n"


def test_two_uses_share_one_machine() -> None:
    result = run("""
largest()
import jpype; jpype.startJVM = None
print(largest())
""")
    assert result.stdout == "2\n", result.stderr


def test_a_forked_child_says_why_it_cannot_use_java_and_ends() -> None:
    result = run("""
largest()
child = os.fork()
if child == 0:
    try:
        largest()
    except RuntimeError as error:
        print(error)
    sys.exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), largest())
""")
    assert 'multiprocessing.get_context("spawn")' in result.stdout, result.stderr
    assert result.stdout.endswith("3 2\n")


def test_a_child_forked_before_the_first_use_has_its_own_machine() -> None:
    result = run("""
child = os.fork()
os.write(1, f"{largest()}\\n".encode())  # a line at once: both write
if child:
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""")
    assert sorted(result.stdout.split()) == ["0", "2", "2"], result.stderr


def test_a_process_whose_worker_thread_started_java_can_end() -> None:
    result = run("""
thread = threading.Thread(target=largest)
thread.start()
thread.join()
print("end")
""")
    assert (result.returncode, result.stdout) == (0, "end\n"), result.stderr


def test_threads_that_are_over_leave_nothing_behind_in_java() -> None:
    result = run("""
for _ in range(50):
    thread = threading.Thread(target=largest)
    thread.start()
    thread.join()
with attach_java() as jpype:
    print(jpype.JClass("java.lang.Thread").activeCount())
""")
    assert int(result.stdout) < 5, result.stderr


def test_control_c_still_raises_keyboard_interrupt() -> None:
    result = run("""
largest()
try:
    os.kill(os.getpid(), signal.SIGINT)
    threading.Event().wait(20)
except KeyboardInterrupt:
    print("interrupted")
""")
    assert (result.returncode, result.stdout) == (0, "interrupted\n"), result.stderr


def test_a_signal_to_terminate_does_not_crash() -> None:
    result = run("""
largest()
os.kill(os.getpid(), signal.SIGTERM)
threading.Event().wait(20)
""")
    assert result.returncode in (-15, 143), result.stderr


def test_java_outlives_a_library_that_takes_its_fault_handlers() -> None:
    """Ray takes them when it starts and removes them when it is shut down; a null reference is such a fault."""
    result = run("""
import faulthandler
largest()
for take in (lambda: signal.signal(signal.SIGSEGV, signal.SIG_DFL), faulthandler.enable):
    take()
    with attach_java() as jpype:
        try:
            jpype.JClass("java.util.HashMap")().putAll(None)
        except jpype.JClass("java.lang.NullPointerException"):
            print("null")
""")
    assert (result.returncode, result.stdout, result.stderr) == (0, "null\nnull\n", "")


HOLDS = """
def holds(jar):
    with attach_java(Path(jar)) as running:
        return running.loader.getResource(Path(jar).stem) is not None
"""


@pytest.fixture
def jars(tmp_path: Path) -> list[str]:
    """Return two jars, each with an entry of its own name; the folder's name is no plain ASCII."""
    paths = [tmp_path / "mit Öl und Blank" / f"{name}.jar" for name in ("first", "second")]
    paths[0].parent.mkdir()
    for path in paths:
        with zipfile.ZipFile(path, "w") as jar:
            jar.writestr(path.stem, "here")
    return [str(path) for path in paths]


def test_each_part_of_a_program_brings_its_own_jar(jars: list[str]) -> None:
    result = run(f"{HOLDS}\nprint([holds(jar) for jar in {jars!r}])")
    assert result.stdout == "[True, True]\n", result.stderr


def test_java_that_other_code_started_is_used(jars: list[str]) -> None:
    result = run(f"{HOLDS}\nimport jpype; jpype.startJVM()\nprint(holds({jars[0]!r}), largest())")
    assert result.stdout == "True 2\n", result.stderr


def test_java_that_was_shut_down_is_told() -> None:
    result = run("""
import jpype
jpype.startJVM()
jpype.shutdownJVM()
largest()
""")
    assert "RuntimeError: Java cannot be started in this process" in result.stderr


def test_nothing_is_missing_here() -> None:
    assert jvm.java_unavailable_reason() is None


def test_a_missing_jpype_names_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jvm, "find_spec", lambda name: None)
    assert jvm.java_unavailable_reason() == "jpype1 is not installed: pip install 'rainbow-nlg[java]'"


def test_a_missing_java_names_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import jpype

    def no_path() -> str:
        raise jpype.JVMNotFoundException("no JVM shared library file")

    monkeypatch.setattr(jpype, "getDefaultJVMPath", no_path)
    assert "apt-get install default-jre-headless, or set JAVA_HOME" in (jvm.java_unavailable_reason() or "")
