/**
 * Another period, filter or tab of the same page comes without loading all of it again: only `<main>` is put in its
 * place. Without scripts the same links load the page.
 */

/** @type {AbortController | undefined} */
let running

/** @param {string} href @param {boolean} isNew whether Back comes back from it */
async function show(href, isNew) {
  running?.abort()
  running = new AbortController()
  try {
    const answer = await fetch(href, { headers: { Accept: 'text/html' }, signal: running.signal })
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const [here, there] = [document.querySelector('main'), next.querySelector('main')]
    // Whoever was signed out, or was sent elsewhere, loads what there is.
    if (!here || !there || answer.redirected) return location.assign(href)
    const focused = document.activeElement instanceof HTMLAnchorElement ? document.activeElement.textContent : null
    if (isNew) history.pushState(null, '', href)
    document.title = next.title
    here.replaceWith(there)
    const again = focused === null ? undefined : [...there.querySelectorAll('a')].find(link => link.textContent === focused)
    again?.focus({ preventScroll: true })
  } catch (thrown) {
    if (!(thrown instanceof DOMException && thrown.name === 'AbortError')) location.assign(href)
  }
}

addEventListener('click', event => {
  const link = event.target instanceof Element ? event.target.closest('main a') : null
  for (const open of document.querySelectorAll('details.more[open]'))
    if (!(event.target instanceof Node && open.contains(event.target))) open.removeAttribute('open')
  if (!(link instanceof HTMLAnchorElement) || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const to = new URL(link.href)
  if (to.origin !== location.origin || to.pathname !== location.pathname || to.searchParams.has('do') || to.search === location.search)
    return
  event.preventDefault()
  void show(link.href, true)
})

addEventListener('popstate', () => void show(location.href, false))
