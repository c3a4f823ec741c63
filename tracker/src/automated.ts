const DRIVERS = /^(Cypress|_phantom|__nightmare)$/

/**
 * Why a browser that a program drives is not counted; undefined for others, and if the page asks to be counted.
 * Looks at own names of the window only: an element with such an id is a property of the window too.
 */
export const automated = (name: string) => {
  const key = '__' + name
  if (!Reflect.get(window, key) && (navigator.webdriver || Object.keys(window).some(each => DRIVERS.test(each)))) {
    return 'automated browser; to test, set window.' + key
  }
}
