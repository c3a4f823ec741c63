<?php
/**
 * The script in pages, and the events of pages that WordPress knows: missing pages and searches.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

namespace Footfall\WordPress;

defined( 'ABSPATH' ) || exit;

add_action( 'wp_enqueue_scripts', __NAMESPACE__ . '\add_tag' );
add_filter( 'script_loader_tag', __NAMESPACE__ . '\defer_tag', 10, 2 );

/** The address of the script, or '' if there is none. */
function script_address(): string {
	$connection = connection();
	if ( ! isset( $connection['script'] ) ) {
		return '';
	}
	return isset( $connection['key'] ) ? home_url( '/' . $connection['path'] . '.js' ) : $connection['script'];
}

function add_tag(): void {
	$address = script_address();
	if ( '' === $address || is_preview() || is_customize_preview() || is_left_out( wp_get_current_user() ) ) {
		return;
	}
	// phpcs:ignore WordPress.WP.EnqueuedResourceParameters.MissingVersion -- the service decides how long it is kept
	wp_enqueue_script( 'footfall', $address, array(), null, false );
	$calls = page_events();
	if ( array() !== $calls ) {
		$stub = 'window.footfall=window.footfall||function(){(footfall.q=footfall.q||[]).push(arguments)};';
		wp_add_inline_script( 'footfall', $stub . implode( '', $calls ), 'before' );
	}
}

/** @return string[] calls of the script */
function page_events(): array {
	$settings = settings();
	if ( $settings['not_found'] && is_404() ) {
		return array( "footfall('404',{props:{path:location.pathname},interactive:false});" );
	}
	if ( $settings['searches'] && is_search() && ! is_paged() ) {
		$props = array(
			'keyword' => mb_substr( get_search_query( false ), 0, 200 ),
			'results' => (int) $GLOBALS['wp_query']->found_posts,
		);
		return array( "footfall('Search',{props:" . wp_json_encode( $props, JSON_HEX_TAG | JSON_HEX_AMP ) . '});' );
	}
	return array();
}

/** WordPress before 6.3 has no `strategy`. */
function defer_tag( string $tag, string $handle ): string {
	if ( 'footfall' !== $handle ) {
		return $tag;
	}
	return preg_replace( '/<script(?=[^>]*\ssrc=)(?![^>]*\sdefer)/', '<script defer', $tag );
}
