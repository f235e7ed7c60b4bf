// Turns the fixed charts of a page into interactive ones, drawn from the embedded records.
import { drawCurve } from "./charts/curve.js";
import { drawProportions } from "./charts/proportions.js";
import { drawScatter } from "./charts/scatter.js";
import { drawSeries } from "./charts/series.js";
import { enableDownload } from "./download.js";
import { enableTabs } from "./tabs.js";

const charts = {
  scatter: (holder, record) => drawScatter(holder, record),
  proportions: (holder, record) => drawProportions(holder, record),
  curve: (holder, record) => drawCurve(holder, record),
  series: (holder, record, item) => drawSeries(holder, record.series, item),
};

const text = document.getElementById("nw-records").textContent;
const records = JSON.parse(text);

for (const holder of document.querySelectorAll("[data-chart]")) {
  const { chart, run, item } = holder.dataset;
  charts[chart](holder, records[Number(run)], Number(item));
}
enableTabs(document);
enableDownload(document, records);
document.documentElement.dataset.ready = "yes";
