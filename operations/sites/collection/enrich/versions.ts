/** Versions as reports have them. */

/** The major version of a browser; '' if there is none. */
export const browserVersionOf = (version: string): string => /^\d{1,6}/.exec(version)?.[0] ?? ''

/** Major and minor version of a system, or a name of Windows: "17.4", "10.15", "10", "XP". */
export const systemVersionOf = (version: string): string => /^\d{1,6}(\.\d{1,6})?|^(XP|Vista|ME|NT [\d.]+)$/.exec(version)?.[0] ?? ''
