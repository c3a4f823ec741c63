<?php
/**
 * The reports in the dashboard: a widget, and a page, as frames of a shared link.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

namespace Footfall\WordPress;

defined( 'ABSPATH' ) || exit;

add_action( 'wp_dashboard_setup', __NAMESPACE__ . '\add_widget' );
add_action( 'admin_menu', __NAMESPACE__ . '\add_reports_page' );

/** The shared link, or '' if none is shown. */
function link(): string {
	$settings = settings();
	if ( ! $settings['reports'] ) {
		return '';
	}
	return '' !== $settings['link'] ? $settings['link'] : (string) ( connection()['link'] ?? '' );
}

/** Who sees the reports: editors and administrators. */
function reports_capability(): string {
	return (string) apply_filters( 'footfall_reports_capability', 'edit_others_posts' );
}

function add_widget(): void {
	if ( '' !== link() && current_user_can( reports_capability() ) ) {
		wp_add_dashboard_widget( 'footfall', __( 'Visitors', 'footfall' ), fn() => show_frame( 480 ) );
	}
}

function add_reports_page(): void {
	if ( '' !== link() ) {
		$page = function () {
			echo '<div class="wrap"><h1>' . esc_html__( 'Visitors', 'footfall' ) . '</h1>';
			show_frame( 900 );
			echo '</div>';
		};
		add_dashboard_page( __( 'Visitors', 'footfall' ), __( 'Visitors', 'footfall' ), reports_capability(), 'footfall-reports', $page );
	}
}

/** The shared link sends its height. */
function show_frame( int $height ): void {
	$address = add_query_arg( array( 'embed' => 1, 'theme' => 'light', 'background' => 'transparent' ), link() );
	printf(
		'<iframe class="footfall" src="%s" title="%s" style="width:100%%;height:%dpx;border:0" loading="lazy" referrerpolicy="strict-origin-when-cross-origin"></iframe>',
		esc_url( $address ),
		esc_attr__( 'Reports', 'footfall' ),
		(int) $height
	);
	?>
	<script>
	addEventListener('message', function (event) {
		document.querySelectorAll('iframe.footfall').forEach(function (frame) {
			if (event.source === frame.contentWindow && event.data && event.data.type === 'footfall:height' && event.data.height > 0) {
				frame.style.height = Math.min(event.data.height, 20000) + 'px'
			}
		})
	})
	</script>
	<?php
}
