<?php
/**
 * What is stored: `footfall`, as the page of the settings sends it, and `footfall_connection`, what the service answered about it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

namespace Footfall\WordPress;

defined( 'ABSPATH' ) || exit;

const SETTINGS   = 'footfall';
const CONNECTION = 'footfall_connection';

/** Switches of the page of the settings, and whether they are on at first. */
const SWITCHES = array(
	'proxy'     => false,
	'not_found' => true,
	'searches'  => true,
	'forms'     => true,
	'outbound'  => true,
	'downloads' => true,
	'orders'    => true,
	'reports'   => true,
);

/** @return array<string, mixed> */
function settings(): array {
	$stored = get_option( SETTINGS );
	$first  = array(
		'url'            => '',
		'site'           => '',
		'token'          => '',
		'address_header' => '',
		'roles'          => array( 'administrator' ),
		'link'           => '',
	);
	return array_merge( $first, SWITCHES, is_array( $stored ) ? $stored : array() );
}

/**
 * The site that was reached last, and what its pages use: `url`, `site`, `script`, `path`, `key`, `link`, `link_id`. And `problems`.
 *
 * @return array<string, mixed>
 */
function connection(): array {
	$stored = get_option( CONNECTION );
	return is_array( $stored ) ? $stored : array();
}

/** The token: from `wp-config.php`, otherwise from the settings. */
function token(): string {
	return defined( 'FOOTFALL_TOKEN' ) ? (string) FOOTFALL_TOKEN : (string) settings()['token'];
}

/** Whether a person with these roles is not counted. */
function is_left_out( ?\WP_User $user ): bool {
	if ( null === $user || 0 === $user->ID ) {
		return false;
	}
	$roles = (array) $user->roles;
	if ( is_super_admin( $user->ID ) ) {
		$roles[] = 'administrator';
	}
	return array() !== array_intersect( $roles, (array) settings()['roles'] );
}

/**
 * The address of the visitor. Behind a proxy, the last one in the header that the proxy sets.
 */
function visitor_address(): string {
	$header = settings()['address_header'];
	$named  = '' === $header ? '' : server( 'HTTP_' . strtoupper( strtr( $header, '-', '_' ) ) );
	$last   = trim( (string) array_slice( explode( ',', $named ), -1 )[0] );
	$last   = preg_replace( array( '/^\[(.*)\](:\d+)?$/', '/^(\d+\.\d+\.\d+\.\d+):\d+$/' ), '$1', $last );
	return filter_var( $last, FILTER_VALIDATE_IP ) ? $last : server( 'REMOTE_ADDR' );
}

/** As the server has it: WordPress adds slashes only after `plugins_loaded`, where this is called. */
function server( string $name ): string {
	// phpcs:ignore WordPress.Security.ValidatedSanitizedInput -- passed on, not stored or shown
	return isset( $_SERVER[ $name ] ) && is_string( $_SERVER[ $name ] ) ? $_SERVER[ $name ] : '';
}
