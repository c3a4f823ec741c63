<?php
/**
 * The script and its hits at a path of this site, if wished: WordPress passes them on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

namespace Footfall\WordPress;

defined( 'ABSPATH' ) || exit;

/** The transient with the script. */
const SCRIPT = 'footfall_script';

const MAX_BYTES = 65536;

/** The transient that says that the service could not be reached: nothing waits for it until then. */
const DOWN = 'footfall_down';

/** Seconds that pages wait for the script, and browsers for the answer to a hit. */
const SCRIPT_TIMEOUT = 1;
const HIT_TIMEOUT    = 2;

function is_down(): bool {
	return false !== get_transient( DOWN );
}

/**
 * Remembers for a minute that the service cannot be reached: there is no answer, or a proxy before it says so.
 * Another error may concern this request only.
 *
 * @param int $status 0 without an answer
 */
function remember_down( int $status ): bool {
	$down = in_array( $status, array( 0, 502, 504 ), true );
	if ( $down ) {
		set_transient( DOWN, 1, MINUTE_IN_SECONDS );
	}
	return $down;
}

/** Headers that describe the visitor. Cookies stay here. */
const PASSED = array( 'accept-language', 'dnt', 'sec-gpc', 'referer', 'sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform', 'sec-ch-ua-platform-version', 'sec-ch-ua-form-factors' );

add_action( 'plugins_loaded', __NAMESPACE__ . '\answer_proxied', 0 );

function answer_proxied(): void {
	$connection = connection();
	if ( ! isset( $connection['key'], $connection['path'] ) || ! settings()['proxy'] ) {
		return;
	}
	$base = rtrim( (string) wp_parse_url( home_url(), PHP_URL_PATH ), '/' ) . '/' . $connection['path'];
	$path = (string) strtok( server( 'REQUEST_URI' ), '?' );
	if ( 0 !== strpos( $path, $base ) ) {
		return;
	}
	$reads = in_array( server( 'REQUEST_METHOD' ), array( 'GET', 'HEAD' ), true );
	switch ( substr( $path, strlen( $base ) ) ) {
		case '.js':
			$reads ? send_script() : send( 405 );
			break;
		case '.gif':
			$reads ? pass_on( 'GET', '.gif' ) : send( 405 );
			break;
		case '':
			'POST' === server( 'REQUEST_METHOD' ) ? pass_on( 'POST', '' ) : send( 405 );
	}
}

/** Keeps the script for ten minutes, and shows an older one for a day if the service cannot be reached. Without one, pages do without. */
function send_script(): void {
	$kept = get_transient( SCRIPT );
	if ( ( ! is_array( $kept ) || $kept['at'] < time() - 600 ) && ! is_down() ) {
		$answer = wp_remote_get( connection()['url'] . '/' . connection()['path'] . '.js', array( 'timeout' => SCRIPT_TIMEOUT, 'redirection' => 0 ) );
		$status = (int) wp_remote_retrieve_response_code( $answer );
		if ( ! remember_down( $status ) && 200 === $status ) {
			$kept = array( 'at' => time(), 'body' => wp_remote_retrieve_body( $answer ) );
			set_transient( SCRIPT, $kept, DAY_IN_SECONDS );
		}
	}
	if ( ! is_array( $kept ) ) {
		send( 204, '', array( 'cache-control' => 'no-store' ) );
	}
	send( 200, $kept['body'], array( 'content-type' => 'text/javascript; charset=utf-8', 'cache-control' => 'public, max-age=600' ) );
}

function pass_on( string $method, string $end ): void {
	$body = 'POST' === $method ? (string) file_get_contents( 'php://input', false, null, 0, MAX_BYTES + 1 ) : null;
	if ( null !== $body && strlen( $body ) > MAX_BYTES ) {
		send( 413 );
	}
	if ( is_down() ) {
		send_away( $end );
	}
	$headers = array( 'X-Forwarded-For' => visitor_address(), 'Content-Type' => 'application/json' );
	foreach ( PASSED as $name ) {
		$value = server( 'HTTP_' . strtoupper( strtr( $name, '-', '_' ) ) );
		if ( '' !== $value ) {
			$headers[ $name ] = $value;
		}
	}
	// phpcs:ignore WordPress.Security.NonceVerification -- a hit of any visitor
	$query  = array_intersect_key( array_filter( $_GET, 'is_string' ), array( 'u' => 0, 'r' => 0 ) );
	$query  = array( 'proxy' => connection()['key'] ) + $query;
	$answer = wp_remote_request(
		connection()['url'] . '/' . connection()['path'] . $end . '?' . http_build_query( $query ),
		array( 'method' => $method, 'timeout' => HIT_TIMEOUT, 'redirection' => 0, 'user-agent' => server( 'HTTP_USER_AGENT' ), 'headers' => $headers, 'body' => $body )
	);
	$status = (int) wp_remote_retrieve_response_code( $answer );
	if ( remember_down( $status ) ) {
		send_away( $end );
	}
	$shown = array( 'cache-control' => 'no-store' );
	foreach ( array( 'content-type', 'x-footfall-dropped', 'x-footfall-identity-ignored', 'retry-after' ) as $name ) {
		$value = wp_remote_retrieve_header( $answer, $name );
		if ( is_string( $value ) && '' !== $value ) {
			$shown[ $name ] = $value;
		}
	}
	send( $status, wp_remote_retrieve_body( $answer ), $shown );
}

/** The hit is lost; an image is answered without one. */
function send_away( string $end ): void {
	send( '.gif' === $end ? 204 : 503, '', array( 'cache-control' => 'no-store', 'retry-after' => (string) MINUTE_IN_SECONDS ) );
}

/** @param array<string, string> $headers by their names in lower case */
function send( int $status, string $body = '', array $headers = array() ): void {
	status_header( $status );
	foreach ( $headers + array( 'content-type' => 'text/plain; charset=utf-8', 'x-content-type-options' => 'nosniff' ) as $name => $value ) {
		header( "$name: $value" );
	}
	// phpcs:ignore WordPress.Security.EscapeOutput -- a script or an image
	echo 'HEAD' === server( 'REQUEST_METHOD' ) ? '' : $body;
	exit;
}
