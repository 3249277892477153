/** Starts the service worker, which shows the offline page where the network fails. Browsers that refuse it go without. */
export async function keepOfflinePage(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    await navigator.serviceWorker.register('/sw.js')
  } catch (failure) {
    // Windows that keep nothing, and a worker that does not load.
    if (!(failure instanceof DOMException || failure instanceof TypeError)) throw failure
  }
}
