<?php
/**
 * Calls of the API, and the check of the settings after they were saved.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

namespace Footfall\WordPress;

defined( 'ABSPATH' ) || exit;

add_action( 'add_option_' . SETTINGS, __NAMESPACE__ . '\connect', 10, 0 );
add_action( 'update_option_' . SETTINGS, __NAMESPACE__ . '\connect', 10, 0 );

/**
 * @param array<string, mixed>|null $body
 * @return array{status: int, data: array<string, mixed>, message: string} Status 0: the service cannot be reached.
 */
function call( string $method, string $path, ?array $body = null, array $headers = array(), int $timeout = 10 ): array {
	$arguments = array(
		'method'      => $method,
		'timeout'     => $timeout,
		'redirection' => 0,
		'headers'     => $headers + array(
			'Authorization' => 'Bearer ' . token(),
			'Accept'        => 'application/json',
		),
	);
	if ( null !== $body ) {
		$arguments['headers']['Content-Type'] = 'application/json';
		$arguments['body']                    = wp_json_encode( $body );
	}
	$answer = wp_remote_request( settings()['url'] . $path, $arguments );
	if ( is_wp_error( $answer ) ) {
		return array( 'status' => 0, 'data' => array(), 'message' => $answer->get_error_message() );
	}
	$status = (int) wp_remote_retrieve_response_code( $answer );
	$parsed = json_decode( wp_remote_retrieve_body( $answer ), true );
	$parsed = is_array( $parsed ) ? $parsed : array();
	$data   = isset( $parsed['data'] ) && is_array( $parsed['data'] ) ? $parsed['data'] : array();
	$said   = $parsed['error']['message'] ?? $parsed['errors'][0]['message'] ?? null;
	return array( 'status' => $status, 'data' => $data, 'message' => is_string( $said ) ? $said : "HTTP $status" );
}

function site_path( string $rest ): string {
	return '/sites/' . rawurlencode( settings()['site'] ) . $rest;
}

/**
 * Checks the token and the site, tells the service what the script tracks, and keeps what it answers.
 * If something is wrong, pages keep the script that they have.
 */
function connect(): void {
	delete_transient( SCRIPT );
	delete_transient( DOWN );
	update_option( CONNECTION, connected( settings(), connection() ) );
}

/** @return array<string, mixed> the connection, with `problems` */
function connected( array $settings, array $before ): array {
	$failed = fn( string $problem ) => array_merge( $before, array( 'problems' => array( $problem ) ) );
	if ( '' === $settings['url'] || '' === $settings['site'] || '' === token() ) {
		return $failed( __( 'Enter the address, the site and a token.', 'footfall' ) );
	}
	$caller = call( 'GET', '/caller.json' );
	if ( 401 === $caller['status'] ) {
		return $failed( __( 'The token is not accepted: it is wrong, has expired or was deleted.', 'footfall' ) );
	}
	if ( 200 !== $caller['status'] || ! isset( $caller['data']['permissions'] ) ) {
		/* translators: %s: what the connection or the server answered */
		return $failed( sprintf( __( 'There is no Footfall at this address: %s', 'footfall' ), $caller['message'] ) );
	}
	$lacking = array_diff( array( 'analytics.read', 'sites.manage' ), (array) $caller['data']['permissions'] );
	if ( array() !== $lacking ) {
		/* translators: %s: names of permissions */
		return $failed( sprintf( __( 'The token lacks permissions: %s', 'footfall' ), implode( ', ', $lacking ) ) );
	}
	$tracking = call(
		'PATCH',
		site_path( '/tracking.json' ),
		array(
			'forms'          => (bool) $settings['forms'],
			'outbound_links' => (bool) $settings['outbound'],
			'downloads'      => (bool) $settings['downloads'],
		)
	);
	if ( 404 === $tracking['status'] ) {
		return $failed( __( 'The token sees no site with this id. The id begins with pa_.', 'footfall' ) );
	}
	if ( 200 !== $tracking['status'] ) {
		return $failed( $tracking['message'] );
	}
	if ( ( $before['url'] ?? '' ) !== $settings['url'] || ( $before['site'] ?? '' ) !== $settings['site'] ) {
		$before = without_link( $before );
	}
	$now             = $before;
	$now['url']      = $settings['url'];
	$now['site']     = $settings['site'];
	$now['script']   = (string) $tracking['data']['script_url'];
	$now['path']     = (string) $tracking['data']['script_path'];
	$now['problems'] = array();
	if ( $settings['proxy'] ) {
		$now = with_proxy( $now );
	} else {
		unset( $now['key'] );
	}
	return with_link( $settings, $now );
}

/** Asks for the key with which the service believes the address of a visitor, and whether this server answers at the path of the script. */
function with_proxy( array $now ): array {
	unset( $now['key'] );
	$snippet = call( 'GET', site_path( '/tracking/snippet.json?for=vercel' ) );
	foreach ( (array) ( $snippet['data']['files'] ?? array() ) as $file ) {
		if ( preg_match( '/[?&]proxy=([\w-]+)/', (string) ( $file['content'] ?? '' ), $found ) ) {
			$now['key'] = $found[1];
		}
	}
	if ( ! isset( $now['key'] ) ) {
		$now['problems'][] = $snippet['message'];
		return $now;
	}
	update_option( CONNECTION, $now );
	$url    = home_url( '/' . $now['path'] . '.js' );
	$answer = wp_remote_get( $url, array( 'timeout' => 10, 'redirection' => 0 ) );
	$kind   = is_wp_error( $answer ) ? '' : (string) wp_remote_retrieve_header( $answer, 'content-type' );
	if ( false === strpos( $kind, 'javascript' ) ) {
		unset( $now['key'] );
		/* translators: %s: an address of this site */
		$now['problems'][] = sprintf( __( 'Your web server does not pass %s to WordPress, so pages load the script from Footfall itself. Choose permalinks other than “Plain”, and let .js files that do not exist go to index.php.', 'footfall' ), $url );
	}
	return $now;
}

/** Creates the link with which the dashboard shows the reports, unless the settings name one. */
function with_link( array $settings, array $now ): array {
	if ( ! $settings['reports'] || '' !== $settings['link'] ) {
		return without_link( $now );
	}
	if ( isset( $now['link_id'] ) && 404 !== call( 'GET', site_path( '/shared_links/' . rawurlencode( $now['link_id'] ) . '.json' ) )['status'] ) {
		return $now;
	}
	$parts  = wp_parse_url( admin_url() );
	$origin = $parts['scheme'] . '://' . $parts['host'] . ( isset( $parts['port'] ) ? ':' . $parts['port'] : '' );
	$link   = call( 'POST', site_path( '/shared_links.json' ), array( 'name' => 'WordPress', 'embed_origins' => array( $origin ) ) );
	if ( 201 !== $link['status'] ) {
		unset( $now['link'], $now['link_id'] );
		/* translators: %s: what the service answered */
		$now['problems'][] = sprintf( __( 'The dashboard shows no reports: %s', 'footfall' ), $link['message'] );
		return $now;
	}
	$now['link']    = (string) $link['data']['url'];
	$now['link_id'] = (string) $link['data']['id'];
	return $now;
}

/** Deletes the link that this plugin created, unless it is on another installation, which would not know the token. */
function without_link( array $now ): array {
	if ( isset( $now['link_id'] ) && settings()['url'] === $now['url'] ) {
		call( 'DELETE', '/sites/' . rawurlencode( $now['site'] ) . '/shared_links/' . rawurlencode( $now['link_id'] ) . '.json' );
	}
	unset( $now['link'], $now['link_id'] );
	return $now;
}
