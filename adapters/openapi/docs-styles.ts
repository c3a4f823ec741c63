/**
 * A script of `/docs` that runs before Scalar's: styles that Scalar writes as text go the way that a policy without
 * 'unsafe-inline' lets through. Style elements get the nonce of the page; styles of elements are set by the CSSOM, which no
 * policy is about (CSP Level 3 §6.7.3). One of its libraries asks whether it may evaluate code: it is told no without asking.
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
