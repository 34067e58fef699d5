"""The index of a survey as one HTML file: no network, no script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .25em .6em;
border-bottom: 1px solid #ddd; vertical-align: top } td.n, th.n { text-align: right }
code { font-size: 90%; white-space: pre-wrap; overflow-wrap: anywhere } .bad { color: #a11 }
.good { color: #164 } .soft { color: #666 } summary { cursor: pointer }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd }
td, th { border-color: #444 } .bad { color: #f77 } .good { color: #7c9 } .soft { color: #999 } }
"""
HEADS = ("page", "equations", "read", "follow", "contradict", "model", "hold", "differ", "s")
MOST_LISTED = 40


def index(source: str, records: Sequence[Mapping[str, Any]], counts: Mapping[str, int]) -> str:
    """Return the page that lists all pages, those with something to look at first.

    Parameters
    ----------
    source : str
        What was surveyed.
    records : sequence of mapping
    counts : mapping of str to int
        Of all of them.
    """
    ordered = sorted(records, key=lambda one: (-_findings(one), not one.get("equations")))
    return "\n".join(
        [
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
            f"<title>Survey of {escape(source)}</title><style>{STYLE}</style></head><body>",
            f"<h1>Survey of {escape(source)}</h1>",
            "<table>",
            *(f'<tr><td>{name}<td class="n">{count}' for name, count in counts.items()),
            "</table><h2>Pages</h2><table><tr>",
            *(f'<th class="{"n" if n not in (0, 5) else ""}">{h}' for n, h in enumerate(HEADS)),
            *(line for one in ordered for line in _row(one)),
            "</table></body></html>\n",
        ]
    )


def _findings(record: Mapping[str, Any]) -> int:
    return len(record.get("contradictions", ())) + len(record.get("differences", ()))


def _row(record: Mapping[str, Any]) -> Iterator[str]:
    alone, against = record.get("alone", {}), record.get("against", {})
    name = f"<td>{escape(record['page'])}"
    if record["status"] != "done":
        name += f' <span class="bad">{record["status"]}</span>'
    details = [*_details(record)]
    if details:
        name += f"<details><summary>{_summary(record)}</summary>{''.join(details)}</details>"
    numbers = [record.get("equations", ""), record.get("read", "")]
    numbers += [alone.get("consistent", ""), alone.get("contradicts", "")]
    yield f"<tr>{name}" + "".join(f'<td class="n">{one}' for one in numbers)
    yield f"<td>{_model(record)}"
    ends = (against.get("holds", ""), against.get("differs", ""), record["seconds"])
    yield "".join(f'<td class="n">{one}' for one in ends)


def _summary(record: Mapping[str, Any]) -> str:
    findings = _findings(record)
    unread = len(record.get("unread", ()))
    parts = [f'<span class="bad">{findings} to look at</span>'] if findings else []
    parts += [f'<span class="soft">{unread} passed over</span>'] if unread else []
    return ", ".join(parts) or '<span class="soft">details</span>'


def _model(record: Mapping[str, Any]) -> str:
    models = record.get("models", ())
    if not models:
        return f'<span class="soft">{escape(record.get("no_model", ""))}</span>'
    best = models[0]
    varied = f", {best['varied']}" if best["varied"] else ""
    return f'<span class="good">{escape(best["name"] + varied)}</span>'


def _details(record: Mapping[str, Any]) -> Iterator[str]:
    if "failure" in record:
        yield f'<p class="bad">{escape(record["failure"])}</p>'
    for one in record.get("contradictions", ()):
        others = ", ".join(one["with"])
        wrong = f", against {one['wrong']}" if one["wrong"] else ""
        yield _verdict(f"{one['label']} contradicts {others}{wrong}", one)
    for one in record.get("differences", ()):
        yield _verdict(f"{one['label']} differs from the model: {'; '.join(one['terms'])}", one)
    for one in record.get("elsewhere", ()):
        yield _verdict(f"{one['label']} is none of the model, in another section", one, "soft")
    if symbols := record.get("meanings"):
        message = ", ".join(f"{key} = {meaning}" for key, meaning in symbols.items())
        yield f"<p>sure: <code>{escape(message)}</code></p>"
    if text := record.get("model_file"):
        yield f"<details><summary>model</summary><pre>{escape(text)}</pre></details>"
    yield from _passed(record.get("unread", ()))


def _verdict(words: str, one: Mapping[str, Any], name: str = "bad") -> str:
    proposed = "".join(f"<br>proposed <code>{escape(r)}</code>" for r in one["repairs"])
    place, latex = escape(one["place"]), escape(one["latex"])
    return (
        f'<p><span class="{name}">{escape(words)}</span>, {place}<br><code>{latex}</code>{proposed}'
    )


def _passed(unread: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    every = list(unread)
    for one in every[:MOST_LISTED]:
        reason, latex = escape(one["reason"]), escape(one["latex"])
        yield f'<p class="soft">{escape(one["place"])}: {reason}<br><code>{latex}</code>'
    if len(every) > MOST_LISTED:
        yield f'<p class="soft">and {len(every) - MOST_LISTED} more, in the lines of JSON'
