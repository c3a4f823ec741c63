/** Path that the browser opens next. Reloading it sends nothing. */
export function afterSignUp(typed: URLSearchParams): string {
  const isEmbedded = typed.get('_embed') === '1'
  return `/sign-up?${new URLSearchParams({ sent: '1', ...(isEmbedded && { embed: '1', theme: typed.get('_theme') ?? '' }) })}`
}
