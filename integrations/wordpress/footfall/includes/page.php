<?php
/**
 * The page of the settings: Settings → Footfall.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

namespace Footfall\WordPress;

defined( 'ABSPATH' ) || exit;

const PAGE = 'footfall';

add_action( 'admin_init', __NAMESPACE__ . '\register' );
add_action( 'admin_menu', __NAMESPACE__ . '\add_settings_page' );
add_filter( 'plugin_action_links_' . plugin_basename( FILE ), __NAMESPACE__ . '\add_settings_link' );

function register(): void {
	register_setting( SETTINGS, SETTINGS, array( 'type' => 'array', 'sanitize_callback' => __NAMESPACE__ . '\accepted' ) );
}

function add_settings_page(): void {
	add_options_page( 'Footfall', 'Footfall', 'manage_options', PAGE, __NAMESPACE__ . '\show_settings' );
}

/** @param string[] $links */
function add_settings_link( array $links ): array {
	$address = admin_url( 'options-general.php?page=' . PAGE );
	return array_merge( array( '<a href="' . esc_url( $address ) . '">' . esc_html__( 'Settings', 'footfall' ) . '</a>' ), $links );
}

/**
 * The settings as they are stored. An empty token keeps the one that is there. WordPress may call this twice.
 *
 * @param mixed $sent
 * @return array<string, mixed>
 */
function accepted( $sent ): array {
	$sent   = is_array( $sent ) ? $sent : array();
	$before = settings();
	$text   = fn( string $name ) => isset( $sent[ $name ] ) && is_string( $sent[ $name ] ) ? trim( $sent[ $name ] ) : '';
	$url    = fn( string $name ) => preg_match( '~^https?://[^\s?#]+$~i', $text( $name ) ) ? rtrim( esc_url_raw( $text( $name ) ), '/' ) : '';
	$token  = preg_replace( '/[^\w-]/', '', $text( 'token' ) );
	if ( '' === $token && empty( $sent['forget_token'] ) ) {
		// A token is not sent to another address than the one that it was entered for.
		$token = $url( 'url' ) === $before['url'] ? $before['token'] : '';
	}
	$now = array(
		'url'            => $url( 'url' ),
		'site'           => preg_replace( '/[^\w.-]/', '', $text( 'site' ) ),
		'token'          => $token,
		'address_header' => strtolower( preg_replace( '/[^\w-]/', '', $text( 'address_header' ) ) ),
		'roles'          => array_values( array_intersect( array_keys( wp_roles()->roles ), array_filter( (array) ( $sent['roles'] ?? array() ), 'is_string' ) ) ),
		'link'           => $url( 'link' ),
		// Saving the same settings again checks them again.
		'saved_at'       => microtime( true ),
	);
	foreach ( array_keys( SWITCHES ) as $name ) {
		$now[ $name ] = ! empty( $sent[ $name ] );
	}
	return $now;
}

function show_settings(): void {
	$settings = settings();
	echo '<div class="wrap"><h1>Footfall</h1>';
	show_connection( $settings );
	echo '<form method="post" action="options.php" autocomplete="off">';
	settings_fields( SETTINGS );
	echo '<table class="form-table" role="presentation">';
	text_row( 'url', __( 'Address', 'footfall' ), $settings['url'], 'https://footfall.example.com', '', 'url' );
	text_row( 'site', __( 'Site', 'footfall' ), $settings['site'], 'pa_…', __( 'The id of the site. Footfall shows it in the settings of the site.', 'footfall' ) );
	token_row( $settings );
	roles_row( $settings );
	switches_row(
		__( 'Count', 'footfall' ),
		$settings,
		array(
			'not_found' => __( 'pages that do not exist, as the event “404”', 'footfall' ),
			'searches'  => __( 'searches, as the event “Search” with its words', 'footfall' ),
			'forms'     => __( 'forms that are sent', 'footfall' ),
			'outbound'  => __( 'clicks on links to other sites', 'footfall' ),
			'downloads' => __( 'downloads', 'footfall' ),
			'orders'    => __( 'orders and refunds of WooCommerce, with revenue', 'footfall' ),
		)
	);
	switches_row(
		__( 'Own path', 'footfall' ),
		$settings,
		array( 'proxy' => __( 'Load the script from this site, and pass its hits on. Browsers then call no other host.', 'footfall' ) )
	);
	text_row( 'address_header', __( 'Address of visitors', 'footfall' ), $settings['address_header'], 'x-forwarded-for', __( 'Only with the own path, if a proxy is in front of this server: the header in which it names the visitor. The last address in it counts.', 'footfall' ) );
	switches_row( __( 'Reports', 'footfall' ), $settings, array( 'reports' => __( 'Show the reports in the dashboard, to editors and administrators.', 'footfall' ) ) );
	text_row( 'link', __( 'Shared link', 'footfall' ), $settings['link'], 'https://footfall.example.com/share/…', __( 'Shows this link instead of one that the plugin creates. Allow the origin of this page in its “embed_origins”.', 'footfall' ), 'url' );
	echo '</table>';
	submit_button( __( 'Save and check', 'footfall' ) );
	echo '</form></div>';
}

/** What the service answered when the settings were saved. */
function show_connection( array $settings ): void {
	$connection = connection();
	$problems   = (array) ( $connection['problems'] ?? array() );
	foreach ( $problems as $problem ) {
		echo '<div class="notice notice-error"><p>' . esc_html( $problem ) . '</p></div>';
	}
	if ( array() === $problems && isset( $connection['script'] ) ) {
		/* translators: %s: address of a script */
		$said = sprintf( __( 'Connected. Pages load %s', 'footfall' ), script_address() );
		echo '<div class="notice notice-success"><p>' . esc_html( $said ) . '</p></div>';
	}
}

function text_row( string $name, string $label, string $value, string $placeholder, string $help = '', string $type = 'text' ): void {
	printf(
		'<tr><th scope="row"><label for="footfall-%1$s">%2$s</label></th><td><input id="footfall-%1$s" name="footfall[%1$s]" type="%6$s" class="regular-text" value="%3$s" placeholder="%4$s"><p class="description">%5$s</p></td></tr>',
		esc_attr( $name ),
		esc_html( $label ),
		esc_attr( $value ),
		esc_attr( $placeholder ),
		esc_html( $help ),
		esc_attr( $type )
	);
}

/** The token itself is never shown. */
function token_row( array $settings ): void {
	echo '<tr><th scope="row"><label for="footfall-token">' . esc_html__( 'API token', 'footfall' ) . '</label></th><td>';
	if ( defined( 'FOOTFALL_TOKEN' ) ) {
		echo '<code>FOOTFALL_TOKEN</code> (wp-config.php)';
	} else {
		printf(
			'<input id="footfall-token" name="footfall[token]" type="password" class="regular-text" value="" placeholder="%s" autocomplete="new-password">',
			'' === $settings['token'] ? 'pat_…' : esc_attr__( 'stored; leave empty to keep it', 'footfall' )
		);
		if ( '' !== $settings['token'] ) {
			echo ' <label><input type="checkbox" name="footfall[forget_token]" value="1"> ' . esc_html__( 'Delete it', 'footfall' ) . '</label>';
		}
	}
	echo '<p class="description">' . esc_html__( 'With the permissions analytics.read and sites.manage, for this site only. Instead, you can define FOOTFALL_TOKEN in wp-config.php.', 'footfall' ) . '</p></td></tr>';
}

function roles_row( array $settings ): void {
	echo '<tr><th scope="row">' . esc_html__( 'Do not count', 'footfall' ) . '</th><td><fieldset>';
	foreach ( wp_roles()->get_names() as $role => $label ) {
		checkbox( 'roles][', (string) $role, translate_user_role( $label ), in_array( $role, (array) $settings['roles'], true ) );
	}
	echo '</fieldset></td></tr>';
}

/** @param array<string, string> $switches labels by name */
function switches_row( string $title, array $settings, array $switches ): void {
	echo '<tr><th scope="row">' . esc_html( $title ) . '</th><td><fieldset>';
	foreach ( $switches as $name => $label ) {
		checkbox( $name, '1', $label, (bool) $settings[ $name ] );
	}
	echo '</fieldset></td></tr>';
}

function checkbox( string $name, string $value, string $label, bool $checked ): void {
	printf(
		'<label><input type="checkbox" name="footfall[%s]" value="%s"%s> %s</label><br>',
		esc_attr( $name ),
		esc_attr( $value ),
		$checked ? ' checked' : '',
		esc_html( $label )
	);
}
