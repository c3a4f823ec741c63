/** How the script gets into pages, by platform. Proxies serve it from the site's own host. */
import { PROXY_KEY } from './proxy-key.ts'

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
  /** The address in two parts: `https://footfall.example.com`, and the path below which the service is, often none. */
  readonly origin: string
  readonly prefix: string
  /** Host of the service, with its port if it names one. */
  readonly host: string
  /** The script's path, without slash. */
  readonly path: string
  readonly domain: string
  /** What a proxy shows that has no addresses of its own. */
  readonly key: string
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
/** Browsers tell another host only the origin of a page, unless the picture asks for its address. */
const pixel = (address: string) =>
  `<noscript><img src="${address.replace(/\.js$/, '.gif')}" alt="" width="1" height="1" referrerpolicy="no-referrer-when-downgrade"></noscript>`

const noCookies = 'The site’s cookies are not passed on: this service needs none.'
const navigations = 'Moves between pages without loading are counted automatically.'
const rebuild = 'Build and deploy the site again.'
const trusted = 'Name the proxy in TRUSTED_PROXIES of this service, else all visitors seem to be the proxy; tracking_verify sees that.'
const keyed =
  'The key in the address makes this service believe whose hits are passed on, as such proxies have no addresses of their own to trust. Keep it out of pages.'
const before = 'Above a rule for all paths, which would answer instead.'
/** The paths that are passed on, and where to. The script is the same for everybody, and needs no key. */
const passedOn = ({ base, path, key }: Place): ReadonlyArray<readonly [from: string, to: string]> =>
  ['', '.js', '.gif'].map(end => [`/${path}${end}`, `${base}/${path}${end}${end === '.js' ? '' : `?${PROXY_KEY}=${key}`}`])
const ownTag = ({ path }: Place): SnippetFile => ({ name: 'in the <head> of every page', content: tag(`/${path}.js`) })

const table: Readonly<Record<PlatformName, Platform>> = {
  html: {
    proxied: false,
    files: place => [
      { name: 'in the <head> of every page', content: tag(src(place)) },
      { name: 'right after <body>, optional', content: pixel(src(place)) },
    ],
    notes: ['The picture counts visitors whose browsers run no scripts. It goes into the <body>: a <head> has no pictures.'],
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
      'The page’s HTML does not show it: tracking_verify checks it with an address to open.',
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
      'Whoever is signed in is not counted; take that line out to count them.',
      'With plain permalinks (?p=1) every page counts as /: choose others under Settings → Permalinks.',
      'Before WordPress 6.3 the script is at the end of the page instead, and counts as well.',
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
    notes: [
      'Copy the first line and the line with <Script> into your own layout; with a pages folder, into pages/_app.tsx.',
      navigations,
      rebuild,
    ],
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
        content: `location ^~ /${place.path} {\n  proxy_pass ${place.base}/${place.path};\n  proxy_ssl_server_name on;\n  proxy_set_header Host ${place.host};\n  proxy_set_header X-Forwarded-For $remote_addr;\n  proxy_set_header Cookie "";\n}`,
      },
    ],
    notes: [noCookies, trusted],
  },
  caddy: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: 'Caddyfile, in the block of the site',
        // The address as asked for: a try_files of the site has replaced it before this is looked at.
        content: `@counted vars {http.request.orig_uri.path} /${place.path} /${place.path}.js /${place.path}.gif\nhandle @counted {\n  rewrite * ${place.prefix}{http.request.orig_uri}\n  reverse_proxy ${place.origin} {\n    header_up Host ${place.host}\n    header_up -Cookie\n  }\n}`,
      },
    ],
    notes: [noCookies, trusted],
  },
  apache: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: 'in the virtual host of the site',
        content: `SSLProxyEngine on\n<LocationMatch "^/${place.path}(\\.js|\\.gif)?$">\n  RequestHeader unset Cookie\n</LocationMatch>\nProxyPassMatch "^/(${place.path}(\\.js|\\.gif)?)$" "${place.base}/$1"\nProxyAddHeaders On`,
      },
      {
        name: 'above the RewriteRules of the virtual host, if it has any',
        content: `RewriteRule "^/${place.path}(\\.js|\\.gif)?$" "-" [L]`,
      },
    ],
    notes: ['Modules proxy, proxy_http, ssl and headers.', noCookies, trusted],
  },
  cloudflare: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: 'a Worker',
        content: `export default {\n  async fetch(request) {\n    const { pathname, search } = new URL(request.url)\n    const to = new URL('${place.base}' + pathname + search)\n    to.searchParams.set('${PROXY_KEY}', '${place.key}')\n    const headers = new Headers(request.headers)\n    headers.delete('cookie')\n    headers.set('X-Forwarded-For', request.headers.get('CF-Connecting-IP'))\n    return fetch(new Request(to, request), { headers })\n  },\n}`,
      },
      { name: 'its routes', content: `*${place.domain}/${place.path}*` },
    ],
    notes: [noCookies, keyed],
  },
  vercel: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: 'vercel.json',
        content: JSON.stringify({ rewrites: passedOn(place).map(([source, destination]) => ({ source, destination })) }, null, 2),
      },
    ],
    notes: [before, keyed],
  },
  netlify: {
    proxied: true,
    files: place => [
      ownTag(place),
      {
        name: '_redirects, in the published folder',
        content: passedOn(place)
          .map(([from, to]) => `${from}  ${to}  200`)
          .join('\n'),
      },
    ],
    notes: [before, keyed],
  },
}

/** The steps for a platform: which text goes where. @param baseUrl of this service @param key of the site, for proxies */
export function snippetFor(name: PlatformName, baseUrl: string, path: string, domain: string, key: string) {
  const { proxied, files, notes } = table[name]
  const { origin, host, pathname } = new URL(baseUrl)
  const from = proxied ? "'self'" : origin
  return {
    for: name,
    files: files({ base: baseUrl, origin, prefix: pathname.replace(/\/$/, ''), host, path, domain, key }),
    csp: `script-src ${from}; connect-src ${from}; img-src ${from}`,
    notes: [...notes],
  }
}
