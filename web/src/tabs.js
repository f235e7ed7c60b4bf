// Several runs on one page: without scripts they follow each other, with scripts they are tabs.

export function enableTabs(root) {
  const list = root.querySelector(".run-tabs");
  if (!list) return;
  const tabs = [...list.querySelectorAll("a")];
  const panels = tabs.map((tab) => root.querySelector(tab.getAttribute("href")));
  list.setAttribute("role", "tablist");

  const show = (chosen) => {
    tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === chosen));
      tab.tabIndex = i === chosen ? 0 : -1;
      panels[i].classList.toggle("tab-hidden", i !== chosen);
    });
  };
  const choose = (index) => {
    show(index);
    tabs[index].focus();
    history.replaceState(null, "", `#${panels[index].id}`);
  };

  tabs.forEach((tab, i) => {
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panels[i].id);
    panels[i].setAttribute("role", "tabpanel");
    tab.addEventListener("click", (event) => {
      event.preventDefault();
      choose(i);
    });
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      choose((i + step + tabs.length) % tabs.length);
    });
  });
  const fromAddress = () => panels.findIndex((panel) => `#${panel.id}` === location.hash);
  show(Math.max(0, fromAddress()));
  addEventListener("hashchange", () => {
    if (fromAddress() >= 0) show(fromAddress());
  });
}
