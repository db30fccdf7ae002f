"""The virtual board as its users start it."""

import subprocess
import sys
import urllib.error
import urllib.request

from conftest import ROOT


class Board:
    """`python3 -m simulator` in a process of its own, on a free port. Two people play, unless a test says otherwise."""

    def __init__(self, *arguments, program=ROOT, port="0", players="two"):
        command = [sys.executable, "-m", "simulator", "--no-browser", "--port", port]
        command += ["--set", f"GEBETA_PLAYERS={players}"]
        self.process = subprocess.Popen(
            [*command, "--program", str(program), *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        self.said = []
        for line in self.process.stdout:
            self.said.append(line)
            if "http://" in line:
                self.url = line.split("http://")[1].split("/")[0]
                break
        self.port = int(self.url.split(":")[1])

    def get(self, path, **extra):
        request = urllib.request.Request(f"http://{self.url}{path}", headers=extra)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.headers, answer.read()

    def status(self, path, **extra):
        try:
            return self.get(path, **extra)[0]
        except urllib.error.HTTPError as error:
            return error.code

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()


def hole_places(page):
    """{hole: (x, y)}: where the middle of each hole is on the page."""
    places = {}
    for button in page.locator(".hole").all():
        box = button.bounding_box()
        places[int(button.get_attribute("data-hole"))] = (
            box["x"] + box["width"] / 2,
            box["y"] + box["height"] / 2,
        )
    return places
