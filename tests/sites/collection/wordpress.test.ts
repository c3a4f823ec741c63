/** The plugin for WordPress, in PHP without WordPress: few functions that imitate it, against the running service. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type SetUp, setUp } from '../../../operations/service/setup/set-up.ts'
import { creationServices } from '../../../scripts/machine.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { fastFolder } from '../../support/files.ts'
import { noonZone } from '../../support/noon-zone.ts'
import { portOf, type ServiceProcess, startProcess } from '../../support/process.ts'

const plugin = path.resolve('integrations/wordpress/footfall')
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const skip = spawnSync('php', ['--version']).error !== undefined && 'php is not installed'
const phpFiles = fs.readdirSync(plugin, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.php'))

/** Options in a file, hooks, and HTTP, which waits longer than the plugin asks for: the machine may be busy. Names as in WordPress. */
const imitation = `<?php
define('ABSPATH', '/'); define('DAY_IN_SECONDS', 86400); define('MINUTE_IN_SECONDS', 60);
$GLOBALS['stored'] = json_decode(@file_get_contents(getenv('STATE')) ?: '[]', true);
$GLOBALS['hooks'] = $GLOBALS['tags'] = []; $GLOBALS['role'] = $_GET['role'] ?? ''; $GLOBALS['at'] = $_GET['at'] ?? '';
function keep() { // at once, because the other worker may read the file
  $draft = getenv('STATE') . getmypid();
  file_put_contents($draft, json_encode($GLOBALS['stored'])); rename($draft, getenv('STATE'));
}
function add_action($name, $call) { $GLOBALS['hooks'][$name][] = $call; }
function add_filter($name, $call) { add_action($name, $call); }
function do_action($name, ...$given) { foreach ($GLOBALS['hooks'][$name] ?? [] as $call) $call(...$given); }
function apply_filters($name, $value) { return $value; }
function get_option($name) { return $GLOBALS['stored'][$name] ?? false; }
function update_option($name, $value) { $GLOBALS['stored'][$name] = $value; keep(); do_action("update_option_$name"); }
function delete_option($name) { unset($GLOBALS['stored'][$name]); keep(); }
function get_transient($name) { return get_option("t_$name"); }
function set_transient($name, $value) { update_option("t_$name", $value); }
function delete_transient($name) { delete_option("t_$name"); }
function wp_schedule_single_event($at, $name, $given) { $GLOBALS['stored']['cron'][] = [$name, $given]; keep(); }
function wp_unschedule_hook($name) { delete_option('cron'); }
function delete_post_meta_by_key($key) { $GLOBALS['stored']['orders'] = array_map(fn($order) => array_diff_key($order, [$key => 0]), get_option('orders') ?: []); keep(); }
function is_admin() { return false; } function is_multisite() { return false; } function is_preview() { return false; } function is_customize_preview() { return false; }
function is_paged() { return false; } function is_404() { return $GLOBALS['at'] === '404'; } function is_search() { return $GLOBALS['at'] === 'search'; }
function is_super_admin() { return false; } function get_search_query() { return 'a </script> b'; }
function home_url($path = '') { return "http://$_SERVER[HTTP_HOST]$path"; } function admin_url() { return home_url('/wp-admin/'); }
function wp_parse_url(...$given) { return parse_url(...$given); } function wp_json_encode(...$given) { return json_encode(...$given); }
// WordPress has it also where PHP was installed without its extension for several bytes a character.
if (!function_exists('mb_substr')) { function mb_substr($text, $from, $length) { return implode('', array_slice(preg_split('//u', $text, -1, PREG_SPLIT_NO_EMPTY), $from, $length)); } }
function __($text) { return $text; } function status_header($status) { http_response_code($status); }
class WP_User { public $ID = 7; public $roles; }
function wp_get_current_user() { $user = new WP_User; $user->roles = [$GLOBALS['role']]; $user->ID = $GLOBALS['role'] ? 7 : 0; return $user; }
function get_userdata() { return wp_get_current_user(); }
function wp_enqueue_script($name, $src) { $GLOBALS['tags'][] = $src; } function wp_add_inline_script($name, $code) { $GLOBALS['tags'][] = $code; }
class WP_Error { public $said; function get_error_message() { return $this->said; } }
function is_wp_error($answer) { return $answer instanceof WP_Error; }
function wp_remote_get($url, $given) { return wp_remote_request($url, ['method' => 'GET'] + $given); }
function wp_remote_request($url, $given) {
  $lines = ['User-Agent: ' . ($given['user-agent'] ?? 'WordPress')];
  foreach ($given['headers'] ?? [] as $name => $value) $lines[] = "$name: $value";
  $context = stream_context_create(['http' => ['method' => $given['method'], 'header' => $lines, 'content' => $given['body'] ?? '', 'ignore_errors' => true, 'follow_location' => 0, 'timeout' => 300]]);
  $body = @file_get_contents($url, false, $context);
  if ($body === false) { $error = new WP_Error; $error->said = 'cannot connect'; return $error; }
  return ['status' => (int) explode(' ', $http_response_header[0])[1], 'body' => $body, 'headers' => $http_response_header];
}
function wp_remote_retrieve_response_code($answer) { return is_wp_error($answer) ? '' : $answer['status']; }
function wp_remote_retrieve_body($answer) { return $answer['body']; }
function wp_remote_retrieve_header($answer, $name) { foreach ($answer['headers'] as $line) if (stripos($line, "$name:") === 0) return trim(substr($line, strlen($name) + 1)); return ''; }
/** An order of WooCommerce, or a refund of one. */
class Order {
  function __construct(public $id) {}
  function stored() { return get_option('orders')[$this->id]; }
  function get_meta($key) { return $this->stored()[$key] ?? ''; }
  function update_meta_data($key, $value) { $GLOBALS['stored']['orders'][$this->id][$key] = $value; } function save_meta_data() { keep(); }
  function get_type() { return isset($this->stored()['parent']) ? 'shop_order_refund' : 'shop_order'; } function get_parent_id() { return $this->stored()['parent']; }
  function get_customer_id() { return 7; } function get_created_via() { return $this->stored()['via'] ?? 'checkout'; }
  function get_customer_ip_address() { return '81.2.69.160'; } function get_customer_user_agent() { return getenv('AGENT'); }
  function get_date_created() { return new DateTime('-1 minute'); } function get_total() { return '29.90'; } function get_amount() { return '9.90'; } function get_currency() { return 'EUR'; }
  function get_payment_method() { return 'cod'; } function get_item_count() { return 3; } function get_coupon_codes() { return ['WINTER']; }
}
function wc_get_order($id) { return isset(get_option('orders')[$id]) ? new Order($id) : false; }
function wc_get_is_paid_statuses() { return ['processing', 'completed']; } function wc_get_checkout_url() { return home_url('/checkout/'); }
class Database { public $prefix = 'wp_'; function get_var() { return null; } function prepare($query) { return $query; } function esc_like($text) { return $text; } }
$GLOBALS['wpdb'] = new Database;

require '${plugin}/footfall.php';
do_action('plugins_loaded');
$done = null;
switch ($_GET['do'] ?? '') {
  case 'save': update_option('footfall', json_decode(file_get_contents('php://input'), true)); $done = get_option('footfall_connection'); break;
  case 'page': do_action('wp_enqueue_scripts'); $done = $GLOBALS['tags']; break;
  case 'order': $GLOBALS['stored']['orders'][$_GET['id']] ??= ['via' => $_GET['via'] ?? 'checkout']; keep(); do_action('woocommerce_order_status_changed', $_GET['id'], 'pending', $_GET['to'], new Order($_GET['id'])); do_action('shutdown'); $done = get_option('cron'); break;
  case 'refund': $GLOBALS['stored']['orders'][$_GET['id']] = ['parent' => $_GET['of']]; keep(); do_action('woocommerce_order_refunded', $_GET['of'], $_GET['id']); do_action('shutdown'); break;
  case 'cron': [$name, $given] = array_pop($GLOBALS['stored']['cron']); do_action($name, ...$given); break;
  case 'uninstall': define('WP_UNINSTALL_PLUGIN', true); require '${plugin}/uninstall.php'; $done = $GLOBALS['stored']; break;
}
echo json_encode($done);
`

onAnyEngine('The plugin for WordPress', engine => {
  let database: Awaited<ReturnType<typeof engine.create>>
  let service: ServiceProcess
  let ours: SetUp
  let wordpress: ChildProcess
  let base = ''
  const folder = fs.mkdtempSync(path.join(fastFolder(), 'wordpress-'))

  before(async () => {
    if (skip) return
    database = await engine.create()
    const wanted = { email: 'a@example.com', workspace: 'A', site: 'shop.example.com', timezone: noonZone() }
    ours = await setUp(database.store, wanted, await creationServices())
    service = await startProcess(database.url)
    await fetch(`${service.address}/sites/${ours.site_id}.json`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${ours.token}`, 'Content-Type': 'application/json' },
      body: '{"currency":"EUR"}',
    })
    const file = path.join(folder, 'site.php')
    fs.writeFileSync(file, imitation)
    // Two workers: the check of the own path calls the site itself.
    wordpress = spawn('php', ['-S', '127.0.0.1:0', file], {
      env: { ...process.env, STATE: path.join(folder, 'state.json'), AGENT: chrome, PHP_CLI_SERVER_WORKERS: '2' },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    })
    base = `http://127.0.0.1:${await portOf(wordpress)}`
  })
  after(async () => {
    if (wordpress?.pid !== undefined && wordpress.exitCode === null) {
      const ended = once(wordpress, 'exit')
      process.kill(-wordpress.pid, 'SIGTERM')
      await ended
    }
    await service?.end('SIGTERM')
    await database?.drop()
    fs.rmSync(folder, { recursive: true })
  })

  const act = async (query: string, body?: object): Promise<any> =>
    (await fetch(`${base}/?do=${query}`, body && { method: 'POST', body: JSON.stringify(body) })).json()
  const settings = (changed: object = {}) => ({
    url: service.address,
    site: ours.site_id,
    token: ours.token,
    roles: ['editor'],
    ...changed,
  })
  const read = async (what: string): Promise<any> =>
    (await (await fetch(`${service.address}/sites/${ours.site_id}/${what}`, { headers: { Authorization: `Bearer ${ours.token}` } })).json())
      .data
  const rows = async (dimension: string) =>
    (await read(`breakdown/${dimension}.json?period=today`)).rows.map((row: any) => [row.value, row.events ?? row.visitors, row.revenue])

  test('every file is valid PHP', { skip }, () => {
    for (const name of phpFiles) {
      const { status, stdout } = spawnSync('php', ['-l', path.join(plugin, name)], { encoding: 'utf8' })
      assert.equal(status, 0, stdout)
    }
  })

  test('says what is wrong with the settings, and keeps the script of pages meanwhile', { skip }, async () => {
    assert.match((await act('save', settings({ url: 'http://127.0.0.1:9' }))).problems[0], /no Footfall at this address: cannot connect/)
    assert.match((await act('save', settings({ token: 'pat_wrong' }))).problems[0], /token is not accepted/)
    assert.match((await act('save', settings({ site: 'pa_other' }))).problems[0], /no site with this id/)
    const connected = await act('save', settings())
    assert.deepEqual(connected.problems, [])
    assert.equal((await act('save', settings({ token: 'pat_wrong' }))).script, connected.script)
    assert.equal((await act('save', settings())).link_id, connected.link_id)
  })

  test('pages have the script, except for roles that are not counted; missing pages and searches are events', { skip }, async () => {
    const { script } = await act('save', settings({ outbound: false }))
    assert.equal((await read('tracking.json')).outbound_links, false)
    assert.deepEqual(await act('page'), [script])
    assert.deepEqual(await act('page&role=editor'), [])
    assert.deepEqual(await act('page&role=author'), [script])
    assert.match((await act('page&at=404'))[1], /footfall\('404',\{props:\{path:location\.pathname\},interactive:false\}\);$/)
    const [, search] = await act('page&at=search')
    assert.match(search, /footfall\('Search',/)
    assert.doesNotMatch(search, /<\/script/)
  })

  test('with the own path, hits of this site have the address of the visitor', { skip }, async () => {
    await act('save', settings({ proxy: true, address_header: 'x-forwarded-for' }))
    const [script] = await act('page')
    assert.ok(script.startsWith(`${base}/`), script)
    const shown = await fetch(script)
    assert.equal(shown.headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.match(await shown.text(), /footfall/)
    const hits = script.replace(/\.js$/, '')
    const headers = { 'User-Agent': chrome, 'X-Forwarded-For': '198.51.100.9, 81.2.69.160', 'Accept-Language': 'de' }
    const body = JSON.stringify({ n: 'pageview', u: 'https://shop.example.com/own' })
    const answer = await fetch(hits, { method: 'POST', headers, body })
    assert.deepEqual([answer.status, answer.headers.get('x-footfall-dropped')], [202, null])
    assert.equal((await fetch(`${hits}.gif?u=https://shop.example.com/own`, { headers })).headers.get('content-type'), 'image/gif')
    assert.equal((await fetch(hits, { method: 'POST', headers, body: '{' })).status, 400)
    assert.equal((await fetch(hits, { method: 'POST', headers, body: 'x'.repeat(70_000) })).status, 413)
    assert.equal((await fetch(hits, { headers })).status, 405)
    assert.deepEqual(await rows('country'), [['GB', 1, 0]])
  })

  test('while the service cannot be reached, one page a minute waits for it; the others show the last script, or none', {
    skip,
  }, async () => {
    await act('save', settings({ proxy: true }))
    const [script] = await act('page')
    const known = await (await fetch(script)).text()
    let asked = 0
    let status = 0
    const away = http
      .createServer(({ socket }, response) => {
        asked++
        if (status === 0) socket.destroy()
        else response.writeHead(status).end()
      })
      .listen(0, '127.0.0.1')
    await once(away, 'listening')
    const { port } = away.address() as AddressInfo
    const state = path.join(folder, 'state.json')
    const stored = JSON.parse(fs.readFileSync(state, 'utf8'))
    const stale = { ...stored, footfall_connection: { ...stored.footfall_connection, url: `http://127.0.0.1:${port}` } }
    const write = (script: object | undefined) => fs.writeFileSync(state, JSON.stringify({ ...stale, t_footfall_script: script }))
    const get = async (end = '', method = 'GET') =>
      (await fetch(script.replace(/\.js$/, end), { method, headers: { 'User-Agent': chrome } })).status

    write({ at: 0, body: known })
    assert.equal(await (await fetch(script)).text(), known)
    assert.equal(await (await fetch(script)).text(), known)
    assert.deepEqual([await get('', 'POST'), await get('.gif')], [503, 204])
    assert.equal(asked, 1)
    write(undefined)
    assert.deepEqual([await get('.js'), await get('.js'), asked], [204, 204, 2])
    write(undefined)
    status = 500
    assert.deepEqual([await get('', 'POST'), await get('', 'POST'), asked], [500, 500, 4], 'an error of one request')
    status = 502
    assert.deepEqual([await get('', 'POST'), await get('', 'POST'), asked], [503, 503, 5], 'of a proxy')
    away.close()
    fs.writeFileSync(state, JSON.stringify(stored))
    await act('save', settings({ proxy: true }))
    assert.equal(await get('.js'), 200)
  })

  test('orders count once, when they are paid, in the visit of the customer', { skip }, async () => {
    await act('save', settings({ orders: true }))
    await act('order&id=1&to=on-hold')
    assert.equal((await read('stats/aggregate.json?period=today')).metrics.purchases, 0)
    await act('order&id=1&to=processing')
    await act('order&id=1&to=completed')
    await act('order&id=2&to=processing&via=admin')
    await act('order&id=3&to=processing&role=editor')
    await act('refund&id=10&of=1')
    await act('refund&id=11&of=2')
    const { purchases, revenue, visits } = (await read('stats/aggregate.json?period=today')).metrics
    assert.deepEqual([purchases, revenue, visits], [1, 2000, 1])
    assert.deepEqual((await rows('event')).sort(), [
      ['Purchase', 1, 2990],
      ['Refund', 1, -990],
    ])
    assert.deepEqual(await rows('property:coupon'), [['WINTER', 1, 2990]])
  })

  test('an order that could not be sent is sent again', { skip }, async () => {
    await act('save', settings({ url: 'http://127.0.0.1:9', orders: true }))
    assert.equal((await act('order&id=4&to=processing')).length, 1)
    await act('save', settings({ orders: true }))
    await act('cron')
    await act('order&id=4&to=completed')
    assert.equal((await read('stats/aggregate.json?period=today')).metrics.purchases, 2)
  })

  test('deleting the plugin leaves nothing, also not its shared link', { skip }, async () => {
    assert.equal((await read('shared_links.json')).length, 1)
    const left = await act('uninstall')
    for (const order of Object.values<object>(left.orders)) assert.ok(!('_footfall_counted' in order))
    assert.deepEqual(Object.keys(left), ['orders'])
    assert.deepEqual(await read('shared_links.json'), [])
  })
})
