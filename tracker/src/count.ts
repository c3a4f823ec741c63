/**
 * `<footfall-count path="/pricing">` shows the number of the badge as text of the page:
 * `<script async src="https://HOST/js/count.js" data-site="pa_…"></script>`. Where there is none, the text of the element stays.
 */
const tag =
  document.currentScript instanceof HTMLScriptElement
    ? document.currentScript
    : document.querySelector<HTMLScriptElement>('script[src*="/js/count.js"]')
const asked = new Map<string, Promise<number | null>>()

const ask = async (url: string): Promise<number | null> => {
  try {
    const answer = await fetch(url, { credentials: 'omit' })
    return answer.ok ? (await answer.json()).data.visitors : null
  } catch (_) {
    return null
  }
}

class FootfallCount extends HTMLElement {
  static readonly observedAttributes = ['path', 'site']

  connectedCallback(): void {
    void this.show()
  }
  attributeChangedCallback(): void {
    if (this.isConnected) void this.show()
  }

  urlOf(): string {
    const site = this.getAttribute('site') || (tag && tag.dataset.site) || ''
    const path = this.getAttribute('path')
    return new URL(
      `../badge/${encodeURIComponent(site)}/count${path ? `?page=${encodeURIComponent(path)}` : ''}`,
      tag ? tag.src : location.href,
    ).href
  }

  async show(): Promise<void> {
    const url = this.urlOf()
    const known = asked.get(url) || ask(url)
    asked.set(url, known)
    const visitors = await known
    if (visitors !== null && url === this.urlOf()) this.textContent = new Intl.NumberFormat(navigator.language).format(visitors)
  }
}

if (!customElements.get('footfall-count')) customElements.define('footfall-count', FootfallCount)
