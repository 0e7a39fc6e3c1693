// How a contact sheet looks, in light and in dark.
#pragma once

#include <string_view>

namespace mlpac {

inline constexpr std::string_view kSheetStyle = R"(
:root{--page:#f4f4f1;--card:#fff;--frame:#e9e9e4;--text:#1d1d1b;--soft:#666660;--line:#deded8;
--hit:#0f6b4b;--hit-fill:#cfeede;--new:#7a4a00;--new-fill:#ffe2ad;--missed:#a1262f;--unsure-fill:#e8e8e3}
@media (prefers-color-scheme:dark){:root{--page:#161615;--card:#21211f;--frame:#111110;--text:#ededea;--soft:#a3a39c;
--line:#383835;--hit:#8fe0b9;--hit-fill:#16503a;--new:#ffcf7d;--new-fill:#5c3c06;--missed:#ff9aa0;--unsure-fill:#34342f}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.45 system-ui,sans-serif}
header{padding:28px clamp(16px,4vw,48px) 12px;display:grid;gap:8px}
h1{margin:0;font-size:1.5rem;font-weight:650;letter-spacing:-.01em}
header p{margin:0;color:var(--soft)}
.note{font-size:.85rem}
main{display:grid;gap:16px;padding:16px clamp(16px,4vw,48px) 48px;
grid-template-columns:repeat(auto-fill,minmax(220px,1fr));align-items:start}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:10px;overflow:hidden}
.frame{aspect-ratio:4/3;background:var(--frame);display:grid;place-items:center}
.frame img{width:100%;height:100%;object-fit:contain}
figcaption{padding:8px 10px 12px}
figcaption p{margin:0 0 6px;font:12px/1.4 ui-monospace,monospace;color:var(--soft);
overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
ul{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:5px}
li{display:inline-flex;gap:6px;padding:2px 8px;border-radius:99px;border:1px solid transparent;font-size:13px}
li b{font-weight:500;font-variant-numeric:tabular-nums;opacity:.8}
.hit{color:var(--hit);background:linear-gradient(90deg,var(--hit-fill) var(--p),transparent 0);border-color:var(--hit-fill)}
.new{color:var(--new);background:linear-gradient(90deg,var(--new-fill) var(--p),transparent 0);border-color:var(--new-fill)}
.missed{color:var(--missed);border:1px dashed currentColor}
.unsure,.none{color:var(--soft);background:var(--unsure-fill)}
.none{background:none;padding-left:0;font-style:italic}
label{color:var(--soft);display:flex;gap:8px;align-items:center;width:fit-content;cursor:pointer}
body:has(#differences:checked) .same{display:none}
@media print{body{background:#fff}figure{break-inside:avoid}label{display:none}}
)";

}  // namespace mlpac
