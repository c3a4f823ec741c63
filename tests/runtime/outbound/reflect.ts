/**
 * The three functions of `reflect-metadata` that @peculiar/x509 requires when imported. Replace with `import
 * 'reflect-metadata'` once that is a development dependency.
 */
const kept = new WeakMap<object, Map<unknown, unknown>>()
const own = (key: unknown, target: object) => kept.get(target)?.get(key)
const inherited = (key: unknown, target: object | null): unknown =>
  target === null ? undefined : (own(key, target) ?? inherited(key, Object.getPrototypeOf(target)))

Object.assign(Reflect, {
  getOwnMetadata: own,
  getMetadata: inherited,
  defineMetadata(key: unknown, value: unknown, target: object) {
    kept.set(target, (kept.get(target) ?? new Map<unknown, unknown>()).set(key, value))
  },
})
