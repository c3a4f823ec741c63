/**
 * A script of `/docs` that runs before Scalar's. It makes styles that Scalar writes as text work under a policy without
 * 'unsafe-inline': style elements get the nonce of the page, and style attributes are set through the CSSOM, which no policy
 * restricts (CSP Level 3 §6.7.3). One of Scalar's libraries tests whether it may evaluate code; this answers no, so that
 * the browser reports no violation.
 */
import { strongTagOf } from '../http/etag.ts'

export const styles = `{
  const { nonce } = document.currentScript
  const create = document.createElement
  document.createElement = function (...given) {
    const element = create.apply(this, given)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
  const set = Element.prototype.setAttribute
  Element.prototype.setAttribute = function (name, value) {
    if (this.style && /^style$/i.test(name)) this.style.cssText = value
    else set.call(this, name, value)
  }
  const markup = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...markup,
    set(html) {
      markup.set.call(this, String(html).replace(/<[a-z][^>]*>/gi, tag => tag.replace(/\\sstyle=/i, ' data-style=')))
      for (const element of this.querySelectorAll('[data-style]')) element.style.cssText = element.dataset.style
    },
  })
  const refuse = () => {
    throw new EvalError('refused by the policy of this page')
  }
  window.Function = new Proxy(Function, { apply: refuse, construct: refuse })
}
`
export const stylesTag = strongTagOf(styles)
export const stylesPath = `/docs/styles-${stylesTag.replace(/\W/g, '').slice(0, 10)}.js`
