<?php
/**
 * Deletes all that the plugin has stored, and the shared link that it has created.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

namespace Footfall\WordPress;

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

require_once __DIR__ . '/includes/settings.php';
require_once __DIR__ . '/includes/proxy.php';
require_once __DIR__ . '/includes/service.php';
require_once __DIR__ . '/includes/orders.php';

function forget(): void {
	global $wpdb;
	without_link( connection() );
	delete_option( SETTINGS );
	delete_option( CONNECTION );
	delete_transient( SCRIPT );
	delete_transient( DOWN );
	wp_unschedule_hook( RETRY );
	delete_post_meta_by_key( COUNTED );
	$table = $wpdb->prefix . 'wc_orders_meta';
	// phpcs:ignore WordPress.DB -- the table of WooCommerce, if it is there
	if ( $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $table ) ) ) === $table ) {
		$wpdb->delete( $table, array( 'meta_key' => COUNTED ) ); // phpcs:ignore WordPress.DB
	}
}

if ( is_multisite() ) {
	foreach ( get_sites( array( 'fields' => 'ids', 'number' => 0 ) ) as $blog ) {
		switch_to_blog( $blog );
		forget();
		restore_current_blog();
	}
} else {
	forget();
}
