"""What strangers may send to the page of mlpac review does no harm: run as review_server.py PROGRAM FOLDER."""
import concurrent.futures
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

program, folder = sys.argv[1], Path(sys.argv[2])
options = ["review", str(folder / "list.csv"), "--data", str(folder / "data.csv"), "--label-list", "topics", "--id", "ticket"]


def start():
    process = subprocess.Popen([program, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    address = urlsplit(process.stdout.readline().strip())
    assert address.hostname == "127.0.0.1", address
    return process, address.port, address.path


def ask(path, method="GET", body=None, headers=None, timeout=20):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        return response.status, response.read(), response.headers
    finally:
        connection.close()


def status(*arguments, **named):
    return ask(*arguments, **named)[0]


def raw(data, wait=20):
    """Sends bytes as they are; what comes back until the other side closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection:
        connection.sendall(data)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
        return answer


def memory():
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise AssertionError("no VmRSS")


def check(condition, what):
    if not condition:
        process.kill()
        sys.exit(f"FAILED: {what}")


process, port, token = start()
check(len(token) == 34, f"a token of 128 bits: {token}")

# Without the token nothing is answered; not even the page.
for path in ["/", "/state", "/next", "/favicon.ico", "/" + "0" * 32 + "/", token[:-1], token[:-2] + "/", "//" + token]:
    check(status(path) == 403, f"{path} is answered without the token")
check(status("/decide", "POST", '{"at":0,"verdict":"accept"}') == 403, "a decision without the token")
code, body, headers = ask(token)
check(code == 200 and b"<!doctype html>" in body, "the page itself")
check("default-src 'none'" in headers["Content-Security-Policy"], "the policy of the page")
check(headers["X-Content-Type-Options"] == "nosniff" and headers["Cache-Control"] == "no-store", "its other headers")
check(b"http://" not in body and b"https://" not in body, "the page loads something from elsewhere")

# Paths lead nowhere.
for path in ["..", "../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "picture/../../x", "a/b", "page.js/", "index.html", "\\..\\x"]:
    check(status(token + path) == 404, f"{path} is found")
check(status(token + "picture?at=../../etc/passwd") == 400, "a picture by path")

# Names that point here, and other pages, get nothing.
for host in ["evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", ""]:
    check(status(token, headers={"Host": host}) == 403, f"host {host} is answered")
check(status(token, headers={"Host": f"localhost:{port}"}) == 200, "localhost is refused")
decision = json.dumps({"at": 0, "verdict": "accept"})
check(status(token + "decide", "POST", decision, {"Origin": "http://evil.example"}) == 403, "a decision of another page")
check(status(token + "decide", "PUT", decision) == 405, "PUT")
check(status(token + "decide", "DELETE") == 405, "DELETE")
for nonsense in [b"\0\0\0\0\r\n\r\n", b"GET\r\n\r\n", b"GET " + b"a" * 20000 + b" HTTP/1.1\r\n\r\n", b"\xff" * 5000]:
    raw(nonsense)

# Large bodies are neither kept nor believed.
before = memory()
check(status(token + "decide", "POST", decision + " " * 20000) == 413, "20 kB are taken")
try:
    code = status(token + "decide", "POST", b" " * 100_000_000)
    check(code == 413, f"100 MB: status {code}")
except (BrokenPipeError, ConnectionResetError):
    pass
try:
    status("/decide", "POST", b" " * 100_000_000)
except (BrokenPipeError, ConnectionResetError):
    pass
chunked = f"POST {token}decide HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
try:
    raw(chunked + (b"10000\r\n" + b" " * 65536 + b"\r\n") * 300)
except (BrokenPipeError, ConnectionResetError):
    pass
check(memory() - before < 50, f"{memory() - before:.0f} MB more after large bodies")

# Slow clients are left alone after a while, and keep nobody else waiting.
slow = []
for begin in [b"", b"GET " + token.encode(), f"POST {token}decide HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 100\r\n\r\n{{".encode()]:
    for _ in range(20):
        connection = socket.create_connection(("127.0.0.1", port), timeout=15)
        connection.sendall(begin)
        slow.append(connection)
began = time.monotonic()
check(status(token + "state") == 200 and time.monotonic() - began < 5, "slow clients keep others waiting")
for connection in slow:
    while connection.recv(4096):
        pass
    connection.close()
check(time.monotonic() - began < 30, f"slow clients were kept for {time.monotonic() - began:.0f} s")

# So do those that send a byte now and then.
drips = [socket.create_connection(("127.0.0.1", port), timeout=15) for _ in range(100)]
for byte in b"GET ":
    for connection in drips:
        connection.sendall(bytes([byte]))
    began = time.monotonic()
    check(status(token + "state") == 200 and time.monotonic() - began < 5, "clients that drip keep others waiting")
# They are sent away in the end: a byte every second is no reason to keep a thread for ever.
began = time.monotonic()
ended = set()
while len(ended) < len(drips) and time.monotonic() - began < 40:
    for connection in set(drips) - ended:
        try:
            connection.sendall(b"x")
        except (BrokenPipeError, ConnectionResetError):
            ended.add(connection)
    time.sleep(1)
check(len(ended) == len(drips), f"{len(drips) - len(ended)} clients that drip were never sent away")
for connection in drips:
    connection.close()

# 200 connections at once.
with concurrent.futures.ThreadPoolExecutor(200) as pool:
    codes = list(pool.map(lambda i: status(token + f"item?at={i % 100}"), range(200)))
check(codes == [200] * 200, f"200 connections: {codes}")
idle = [socket.create_connection(("127.0.0.1", port), timeout=15) for _ in range(200)]
check(status(token + "state", timeout=30) == 200, "200 idle connections")
for connection in idle:
    connection.close()

# Nothing of all this was a decision; one is kept though the process is killed right after it.
check(json.loads(ask(token + "state")[1])["progress"]["all"]["open"] == json.loads(ask(token + "state")[1])["progress"]["all"]["total"],
      "something was decided")
check(status(token + "decide", "POST", decision) == 200, "a decision")
second = subprocess.run([program, *options], capture_output=True, text=True, timeout=30)
check(second.returncode == 1 and "another mlpac review has this journal open" in second.stderr, second.stderr)
process.kill()
process.wait()
process, port, token = start()
check(json.loads(ask(token + "state")[1])["progress"]["all"]["accepted"] == 1, "a decision was lost")
taken = subprocess.run([program, *options, "--journal", str(folder / "other.jsonl"), "--port", str(port)], capture_output=True, text=True, timeout=30)
check(taken.returncode == 1 and f"port {port} of this machine cannot be used" in taken.stderr, taken.stderr)
process.send_signal(signal.SIGINT)
_, errors = process.communicate(timeout=20)
check(process.returncode == 0 and "1 accepted" in errors, f"{process.returncode}: {errors}")
