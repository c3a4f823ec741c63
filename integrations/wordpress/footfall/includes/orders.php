<?php
/**
 * Orders of WooCommerce as the events `Purchase` and `Refund`, with revenue. They are sent by the server, so that an order counts once, and
 * also if the customer does not return from the payment.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

namespace Footfall\WordPress;

defined( 'ABSPATH' ) || exit;

/** On an order that was counted; on a refund, too. */
const COUNTED = '_footfall_counted';

/** The event of WP-Cron that tries again. */
const RETRY = 'footfall_order';

const ATTEMPTS = 7;

add_action( 'before_woocommerce_init', __NAMESPACE__ . '\declare_features' );
add_action( 'woocommerce_order_status_changed', __NAMESPACE__ . '\order_changed', 10, 4 );
add_action( 'woocommerce_order_refunded', __NAMESPACE__ . '\order_refunded', 10, 2 );
add_action( RETRY, __NAMESPACE__ . '\send_order', 10, 2 );

function declare_features(): void {
	$features = '\Automattic\WooCommerce\Utilities\FeaturesUtil';
	if ( class_exists( $features ) ) {
		$features::declare_compatibility( 'custom_order_tables', FILE, true );
		$features::declare_compatibility( 'cart_checkout_blocks', FILE, true );
	}
}

/** An order counts once it is paid. */
function order_changed( $id, $from, $to, $order ): void {
	if ( in_array( $to, wc_get_is_paid_statuses(), true ) && counts( $order ) && ! $order->get_meta( COUNTED ) ) {
		send_later( (int) $id );
	}
}

/** A refund counts if its order did. */
function order_refunded( $id, $refund_id ): void {
	$order = wc_get_order( $id );
	if ( $order && counts( $order ) && $order->get_meta( COUNTED ) ) {
		send_later( (int) $refund_id );
	}
}

/** Orders that a person placed on this site, in a role that is counted. */
function counts( $order ): bool {
	$customer = $order->get_customer_id() ? get_userdata( $order->get_customer_id() ) : null;
	return settings()['orders']
		&& isset( connection()['script'] )
		&& 'admin' !== $order->get_created_via()
		&& '' !== (string) $order->get_customer_ip_address()
		&& '' !== (string) $order->get_customer_user_agent()
		&& ! is_left_out( $customer ? $customer : null );
}

/** Sends at the end of the request: with FPM, after the answer. */
function send_later( int $id ): void {
	static $waiting = array();
	if ( isset( $waiting[ $id ] ) ) {
		return;
	}
	$waiting[ $id ] = true;
	add_action(
		'shutdown',
		function () use ( $id ) {
			if ( function_exists( 'fastcgi_finish_request' ) ) {
				fastcgi_finish_request();
			}
			send_order( $id, 1 );
		},
		100
	);
}

/** Sends an order or a refund. If the service cannot be reached, again after 1, 2, 4 … minutes. */
function send_order( $id, $attempt ): void {
	$record = function_exists( 'wc_get_order' ) ? wc_get_order( $id ) : null;
	if ( ! $record || $record->get_meta( COUNTED ) ) {
		return;
	}
	$refunded = 'shop_order_refund' === $record->get_type();
	$order    = $refunded ? wc_get_order( $record->get_parent_id() ) : $record;
	if ( ! $order ) {
		return;
	}
	if ( is_down() ) {
		send_again( (int) $id, (int) $attempt );
		return;
	}
	// The key lets the service count it once, although its answer may be lost.
	$headers = array( 'Idempotency-Key' => 'woocommerce-' . md5( home_url() ) . "-$id" );
	$answer  = call( 'POST', site_path( '/hits.json' ), array( 'hits' => array( hit_of( $order, $refunded ? $record : null ) ) ), $headers, 2 );
	$status  = $answer['status'];
	if ( $status >= 200 && $status < 300 ) {
		$record->update_meta_data( COUNTED, '1' );
		$record->save_meta_data();
	} elseif ( 0 === $status || 429 === $status || $status >= 500 ) {
		remember_down( $status );
		send_again( (int) $id, (int) $attempt );
	} else {
		error_log( "Footfall: order $id was not counted: " . $answer['message'] );
	}
}

function send_again( int $id, int $attempt ): void {
	if ( $attempt < ATTEMPTS ) {
		wp_schedule_single_event( time() + 60 * 2 ** ( $attempt - 1 ), RETRY, array( $id, $attempt + 1 ) );
	} else {
		error_log( "Footfall: order $id was not counted: the service cannot be reached" );
	}
}

/** @return array<string, mixed> */
function hit_of( $order, $refund ): array {
	$placed = $order->get_date_created();
	$placed = $placed ? $placed->getTimestamp() : time();
	$amount = $refund ? -abs( (float) $refund->get_amount() ) : (float) $order->get_total();
	$props  = array( 'payment' => (string) $order->get_payment_method(), 'items' => (int) $order->get_item_count() );
	$coupon = implode( ', ', $order->get_coupon_codes() );
	return array_filter(
		array(
			'name'        => $refund ? 'Refund' : 'Purchase',
			'url'         => wc_get_checkout_url(),
			'ip'          => (string) $order->get_customer_ip_address(),
			'user_agent'  => (string) $order->get_customer_user_agent(),
			// Belongs to the visit in which it was placed, unless the payment came much later.
			'timestamp'   => 1000 * ( ! $refund && $placed > time() - DAY_IN_SECONDS ? $placed : time() ),
			'interactive' => $refund ? false : null,
			'revenue'     => 0.0 === $amount ? null : array( 'amount' => $amount, 'currency' => (string) $order->get_currency() ),
			'props'       => $refund ? null : array_filter( $props + array( 'coupon' => $coupon ) ),
		),
		fn( $value ) => null !== $value && array() !== $value
	);
}
