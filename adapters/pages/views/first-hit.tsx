/** A site that nothing has come from yet: what to put on its pages. The page looks again by itself. */
export function FirstHit({ domain, baseUrl }: { domain: string; baseUrl: string }) {
  const snippet = `<script defer data-domain="${domain}" src="${baseUrl}/js/footfall.js"></script>`
  return (
    <section class="card first" aria-labelledby="first">
      <h2 id="first">Put this on your pages</h2>
      <p>Anywhere in the head of every page of {domain}:</p>
      <p>
        <code class="secret">{snippet}</code>
      </p>
      <p>Then open one of them in a browser.</p>
      <p class="waiting" role="status">
        <span class="pulse" aria-hidden="true" /> Waiting for your first hit. This page looks again every 10 seconds.
      </p>
    </section>
  )
}
