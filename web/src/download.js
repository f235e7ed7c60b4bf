// Saves the embedded records as a file: one object for one run, a list for several.

export function enableDownload(root, records) {
  const button = root.querySelector("[data-download]");
  button.addEventListener("click", () => {
    const content = records.length === 1 ? records[0] : records;
    const blob = new Blob([JSON.stringify(content, null, 2)], { type: "application/json" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = button.dataset.download;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
