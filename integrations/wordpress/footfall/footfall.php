<?php
/**
 * Plugin Name: Footfall
 * Description: Counts visits, searches, missing pages, forms and WooCommerce orders with your own Footfall, and shows the reports in the dashboard.
 * Version: 0.6.0
 * Requires at least: 5.9
 * Requires PHP: 7.4
 * License: GPL-2.0-or-later
 * License URI: https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain: footfall
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

namespace Footfall\WordPress;

defined( 'ABSPATH' ) || exit;

const FILE = __FILE__;

require __DIR__ . '/includes/settings.php';
require __DIR__ . '/includes/service.php';
require __DIR__ . '/includes/tag.php';
require __DIR__ . '/includes/proxy.php';
require __DIR__ . '/includes/orders.php';
if ( is_admin() ) {
	require __DIR__ . '/includes/page.php';
	require __DIR__ . '/includes/reports.php';
}
