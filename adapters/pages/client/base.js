/** The path below which the service is: `/stats`, or empty at the root of a host. Scripts are in its folder `assets`. */
export const base = new URL('..', import.meta.url).pathname.slice(0, -1)
