/** Tells the page around a frame how high this one is, so that it need not scroll by itself. */
const tell = () => {
  const height = Math.ceil(document.body.getBoundingClientRect().height)
  if (height > 0) parent.postMessage({ type: 'footfall:height', height }, '*')
}
if (parent !== window) {
  new ResizeObserver(tell).observe(document.body)
  tell()
}
