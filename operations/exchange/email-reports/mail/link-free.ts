/**
 * Mail programs make links of whatever looks like an address, and pages, referrers and names are written by visitors: what
 * nobody of us put there must not be clicked. A space of no width after each dot, colon and at sign keeps it a text.
 */
const joints = /(?<=[^\s])([.:@])(?=[^\s.])/g

export const linkFree = (text: string): string => text.replaceAll(joints, '$1\u200b')
