"""Makes this machine ready: Python packages in .venv, Qt's system libraries, a font, the search model.

Runs on whatever Python a person has, so it uses no newer syntax than that Python may know and no package at all.
A second run looks at one stamp and is done.
"""

import glob
import hashlib
import os
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
STAMP = os.path.join(VENV, "carrel-ready")
MODEL_TRIED = os.path.join(VENV, "carrel-model-tried")
OLDEST, NEWEST = (3, 11), (3, 13)
DISK = 1500000000
"""Bytes that the environment takes, with room to unpack it."""

DAY = 24 * 3600

LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
}
"""What Qt's wheel loads and does not carry: the library, and Debian's package of it."""

WINDOW_LIBRARIES = {
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
"""What it loads besides where a window is shown."""

FONTS = ["fonts-inter", "fonts-noto-color-emoji"]


def stop(words):
    """End with a sentence that says what to do."""
    sys.exit("Carrel cannot be set up: " + words)


def prepare():
    """Do what is missing; gives the path of the environment's Python."""
    check_python()
    if not is_ready():
        check_disk()
        whole = install_system_parts()
        make_environment()
        install_packages()
        if whole:
            with open(STAMP, "w") as out:
                out.write(fingerprint())
    prepare_model()
    return python()


def check_python():
    """Stop on a Python that is too old or too new."""
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        stop(
            "this is Python %d.%d; it needs 3.11, 3.12 or 3.13. Install one of them and start again with it, "
            "for example: python3.12 %s" % (sys.version_info[0], sys.version_info[1], " ".join(sys.argv))
        )


def check_disk():
    """Stop before a half-made environment fills the disk."""
    free = shutil.disk_usage(ROOT).free
    if free < DISK:
        stop("the disk of %s has %d MB free, and the environment takes %d MB." % (ROOT, free // 10**6, DISK // 10**6))


def is_ready():
    """Whether the environment is that of the present pyproject.toml and Python."""
    try:
        with open(STAMP) as held:
            return held.read() == fingerprint() and os.path.exists(python())
    except OSError:
        return False


def fingerprint():
    """What the environment depends on."""
    digest = hashlib.sha256(sys.version.encode() + ROOT.encode())
    for name in ("pyproject.toml", os.path.join("packaging", "prepare.py")):
        with open(os.path.join(ROOT, name), "rb") as source:
            digest.update(source.read())
    return digest.hexdigest()


def python():
    """The environment's own Python."""
    inside = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
    return os.path.join(VENV, *inside)


def install_system_parts():
    """Install Debian's packages that are missing, or print the one command that does; whether none is missing now."""
    wanted = missing_packages()
    if not wanted:
        return True
    command = ["apt-get", "install", "-y", "--no-install-recommends"] + wanted
    if not shutil.which("apt-get"):
        print("Qt may need these libraries, which were not found (names as in Debian): " + " ".join(wanted))
        return True
    if os.geteuid() != 0:
        command = command[:4] + [known_name(name) for name in wanted]
        words = "some system packages are missing. Run this, then start again:\n\n  sudo " + " ".join(command) + "\n"
        if has_display() or set(wanted) - set(WINDOW_LIBRARIES.values()):
            stop(words)
        print("Before a window can be shown, " + words, flush=True)
        return False
    print("Installing system packages: " + " ".join(wanted), flush=True)
    quiet = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    subprocess.run(["apt-get", "update", "-q"], env=quiet, stdout=subprocess.DEVNULL, check=False)
    wanted = [known_name(name) for name in wanted]
    done = subprocess.run(command[:4] + wanted, env=quiet, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        stop("apt-get could not install them. Try by hand:\n\n  " + " ".join(command[:4] + wanted) + "\n")
    return True


def has_display():
    """Whether a window can be shown here."""
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def missing_packages():
    """Debian's packages for what cannot be found on this machine."""
    if not sys.platform.startswith("linux"):
        return []
    known = loader_cache()
    libraries = dict(LIBRARIES, **WINDOW_LIBRARIES)
    wanted = [package for library, package in libraries.items() if library not in known]
    if not any(has_files(folder) for folder in font_folders()):
        wanted += FONTS
    try:
        import ensurepip  # noqa: F401  # Debian and Ubuntu keep it in a package of its own
    except ImportError:
        wanted.append("python%d.%d-venv" % sys.version_info[:2])
    return wanted


def loader_cache():
    """The names of the libraries that the system's loader finds."""
    for tool in ("ldconfig", "/sbin/ldconfig"):
        try:
            listed = subprocess.run([tool, "-p"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
            return set(line.split()[0] for line in listed.stdout.decode().splitlines() if "=>" in line)
        except (OSError, subprocess.CalledProcessError):
            continue
    return set(LIBRARIES) | set(WINDOW_LIBRARIES)  # no loader to ask: Qt itself will say what it misses


def known_name(package):
    """Newer Debian releases call one package libglib2.0-0t64, say."""
    for name in (package, package + "t64"):
        ask = ["apt-cache", "show", name]
        if subprocess.run(ask, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout:
            return name
    return package


def font_folders():
    """Where fonts lie."""
    home = os.path.expanduser("~")
    return ["/usr/share/fonts", "/usr/local/share/fonts", home + "/.fonts", home + "/.local/share/fonts"]


def has_files(folder):
    """Whether any font lies below a folder."""
    return any(glob.glob(os.path.join(folder, "**", "*." + kind), recursive=True) for kind in ("ttf", "otf", "ttc"))


def make_environment():
    """Make .venv anew where it is missing, broken, or of another Python."""
    ask = [python(), "-c", "import pip, sys; print(sys.version)"]
    if os.path.exists(python()):
        held = subprocess.run(ask, stdout=subprocess.PIPE, check=False).stdout.decode(errors="replace")
        if held.split() == sys.version.split():
            return
    print("Making the environment in .venv", flush=True)
    import venv

    try:
        venv.EnvBuilder(clear=True, with_pip=True, symlinks=os.name != "nt").create(VENV)
    except (OSError, subprocess.CalledProcessError) as error:
        stop("the environment in .venv could not be made: %s" % error)


def install_packages():
    """Install the application, the built-in service and the test tools."""
    print("Installing Python packages (a minute or two the first time)", flush=True)
    command = [python(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", ROOT + "[dev]"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        said = done.stdout.decode(errors="replace")
        stop("pip could not install the packages.%s\n\n%s" % (why(said), "\n".join(said.splitlines()[-12:])))


def why(said):
    """What pip's words mean."""
    if "No space left" in said:
        return " The disk is full."
    signs = ("NewConnectionError", "Temporary failure in name resolution", "ConnectTimeout", "Network is unreachable")
    if any(sign in said for sign in signs):
        return " There is no way to the package index: check the network or the proxy, and start again."
    return ""


def prepare_model():
    """Fetch and convert the search model; where that failed, try again after a day, not at each start."""
    try:
        if time.time() - os.path.getmtime(MODEL_TRIED) < DAY:
            return
    except OSError:
        pass
    subprocess.run([python(), os.path.join(ROOT, "packaging", "search_model.py")], check=False)
    with open(MODEL_TRIED, "w") as out:
        out.write("tried")
