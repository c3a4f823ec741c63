/**
 * Imports a module whose name is only known when a test runs: a package of this folder, or a URL.
 * @param {string} specifier
 * @returns {Promise<any>} of any shape
 */
export const load = specifier => import(specifier)
