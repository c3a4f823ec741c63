/** Adds the tags of a campaign to a URL. */
export const tagNames = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const
export type Tags = Readonly<Record<(typeof tagNames)[number], string | null>>

/** Keeps the other parameters of the URL, and replaces a tag that it already has. */
export function tagged({ url, ...tags }: Tags & { readonly url: string }): string {
  const address = new URL(url)
  for (const name of tagNames) {
    const value = tags[name]
    if (value !== null) address.searchParams.set(name, value)
  }
  return address.href
}
