/**
 * Mail programs turn text that looks like an address into links. Visitors write pages, referrers and names, so such a link
 * would be theirs. A zero-width space after each dot, colon and at sign prevents it.
 */
const joints = /(?<=[^\s])([.:@])(?=[^\s.])/g

export const linkFree = (text: string): string => text.replaceAll(joints, '$1\u200b')
