/** How the script gets into pages, by platform. Proxies serve it from the site's own host. */

export const platforms = [
  'html',
  'gtm',
  'wordpress',
  'nextjs',
  'nuxt',
  'astro',
  'react',
  'vue',
  'shopify',
  'nginx',
  'caddy',
  'apache',
  'cloudflare',
  'vercel',
  'netlify',
] as const
export type PlatformName = (typeof platforms)[number]

interface Place {
  /** `https://footfall.example.com` */
  readonly base: string
  /** Host of the service. */
  readonly host: string
  /** The script's path, without slash. */
  readonly path: string
  readonly domain: string
}

interface SnippetFile {
  readonly name: string
  readonly content: string
}
interface Platform {
  /** Whether pages load the script from their own host. */
  readonly proxied: boolean
  files(place: Place): SnippetFile[]
  readonly notes: readonly string[]
}

const src = ({ base, path }: Place) => `${base}/${path}.js`
const tag = (address: string) => `<script defer src="${address}"></script>`
const pixel = (address: string) => `<noscript><img src="${address.replace(/\.js$/, '.gif')}" alt="" width="1" height="1"></noscript>`

const inHead = 'It belongs into the <head> of every page.'
const navigations = 'Moves between pages without loading are told by themselves.'
const rebuild = 'Build and deploy the site again.'
const trusted = 'Name the proxy in TRUSTED_PROXIES of this service, else all visitors seem to be the proxy; tracking_verify sees that.'
const ownTag = ({ path }: Place): SnippetFile => ({ name: 'in the <head> of every page', content: tag(`/${path}.js`) })

const table: Readonly<Record<PlatformName, Platform>> = {
  html: {
    proxied: false,
    files: place => [{ name: 'in the <head> of every page', content: `${tag(src(place))}\n${pixel(src(place))}` }],
    notes: [inHead, 'The second line counts visitors whose browsers run no scripts; leave it out if you do not want that.'],
  },
  gtm: {
    proxied: false,
    files: place => [
      {
        name: 'a tag of the kind Custom HTML',
        content: `<script>\n(function () {\n  var s = document.createElement('script')\n  s.defer = true\n  s.src = '${src(place)}'\n  document.head.appendChild(s)\n})()\n</script>`,
      },
    ],
    notes: [
      'Trigger: All Pages. Publish the container.',
      'The page’s HTML does not show it: tracking_verify tells by an address to open.',
      navigations,
    ],
  },
  wordpress: {
    proxied: false,
    files: place => [
      {
        name: 'functions.php of a child theme, or a snippets plugin',
        content: `add_action('wp_enqueue_scripts', function () {\n  if (is_user_logged_in()) return;\n  wp_enqueue_script('site-${place.path}', '${src(place)}', [], null, ['strategy' => 'defer', 'in_footer' => false]);\n});`,
      },
    ],
    notes: [
      'WordPress 6.3 or later. Whoever is signed in is not counted; take that line out to count them.',
      'Clear the cache of a caching plugin, and exclude the script from merging.',
    ],
  },
  nextjs: {
    proxied: false,
    files: place => [
      {
        name: 'app/layout.tsx',
        content: `import Script from 'next/script'\n\nexport default function RootLayout({ children }: { children: React.ReactNode }) {\n  return (\n    <html lang="en">\n      <body>\n        {children}\n        <Script src="${src(place)}" strategy="afterInteractive" />\n      </body>\n    </html>\n  )\n}`,
      },
    ],
    notes: [navigations, rebuild],
  },
  nuxt: {
    proxied: false,
    files: place => [
      {
        name: 'nuxt.config.ts',
        content: `export default defineNuxtConfig({\n  app: { head: { script: [{ src: '${src(place)}', defer: true }] } },\n})`,
      },
    ],
    notes: [navigations, rebuild],
  },
  astro: {
    proxied: false,
    files: place => [{ name: 'src/layouts/Layout.astro, in its <head>', content: `<script is:inline defer src="${src(place)}"></script>` }],
    notes: ['is:inline keeps Astro from bundling it.', navigations, rebuild],
  },
  react: {
    proxied: false,
    files: place => [{ name: 'index.html, in its <head>', content: tag(src(place)) }],
    notes: ['For Vite and other builds with an index.html of their own.', navigations, rebuild],
  },
  vue: {
    proxied: false,
    files: place => [{ name: 'index.html, in its <head>', content: tag(src(place)) }],
    notes: ['With routes behind #, switch hash on: tracking_update.', navigations, rebuild],
  },
  shopify: {
    proxied: false,
    files: place => [{ name: 'layout/theme.liquid, above </head>', content: tag(src(place)) }],
    notes: ['Online Store → Themes → Edit code.', 'Checkout pages load no script of a theme.'],
  },
  nginx: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: 'in the server block of the site',
        content: `location ~ ^/${place.path}(\\.js|\\.gif)?$ {\n  proxy_pass ${place.base};\n  proxy_ssl_server_name on;\n  proxy_set_header Host ${place.host};\n  proxy_set_header X-Forwarded-For $remote_addr;\n}`,
      },
    ],
    notes: [trusted],
  },
  caddy: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: 'Caddyfile, in the block of the site',
        content: `@counted path /${place.path} /${place.path}.js /${place.path}.gif\nreverse_proxy @counted ${place.base} {\n  header_up Host {upstream_hostport}\n}`,
      },
    ],
    notes: [trusted],
  },
  apache: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: 'in the virtual host of the site',
        content: `SSLProxyEngine on\nProxyPassMatch "^/(${place.path}(\\.js|\\.gif)?)$" "${place.base}/$1"\nProxyAddHeaders On`,
      },
    ],
    notes: ['Modules proxy, proxy_http and ssl.', trusted],
  },
  cloudflare: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: 'a Worker',
        content: `export default {\n  async fetch(request) {\n    const url = new URL(request.url)\n    const headers = new Headers(request.headers)\n    headers.delete('cookie')\n    headers.set('X-Forwarded-For', request.headers.get('CF-Connecting-IP'))\n    return fetch('${place.base}' + url.pathname + url.search, { method: request.method, headers, body: request.body })\n  },\n}`,
      },
      { name: 'its routes', content: `${place.domain}/${place.path}*` },
    ],
    notes: [trusted],
  },
  vercel: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: 'vercel.json',
        content: JSON.stringify(
          {
            rewrites: ['', '.js', '.gif'].map(end => ({
              source: `/${place.path}${end}`,
              destination: `${place.base}/${place.path}${end}`,
            })),
          },
          null,
          2,
        ),
      },
    ],
    notes: [trusted],
  },
  netlify: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: '_redirects, in the published folder',
        content: ['', '.js', '.gif'].map(end => `/${place.path}${end}  ${place.base}/${place.path}${end}  200`).join('\n'),
      },
    ],
    notes: [trusted],
  },
}

/** What to put where. @param baseUrl of this service */
export function snippetFor(name: PlatformName, baseUrl: string, path: string, domain: string) {
  const { proxied, files, notes } = table[name]
  const { origin, host } = new URL(baseUrl)
  const from = proxied ? "'self'" : origin
  return {
    for: name,
    files: files({ base: baseUrl, host, path, domain }),
    csp: `script-src ${from}; connect-src ${from}; img-src ${from}`,
    notes: [...notes],
  }
}
